import { afterAll, describe, expect, test } from 'vitest'
import { createFaceDetector } from '../../src/adapters/face_detector.ts'
import { describeFaces } from '../../src/domain/assistant/face_analysis.ts'
import { drawFaces } from '../kit/faces.ts'

// Detection is CPU-bound and slow on a busy machine.
const minutes = 60_000
const detector = createFaceDetector({ timeoutSeconds: 240 })
afterAll(() => detector.close())

describe('the face detector', () => {
  test(
    'fails on a damaged picture, and handles the next one',
    { timeout: 5 * minutes },
    async () => {
      await expect(detector.detect(Buffer.from('no picture'))).rejects.toMatchObject({
        failure: 'misbehaved',
        message: 'The picture could not be examined.',
      })
      const [face, ...others] = await detector.detect(await drawFaces([{ blush: 0.5 }]))
      expect(others).toEqual([])
      const { forehead, leftCheek, rightCheek } = face!.regions
      expect(leftCheek.redness - forehead.redness).toBeGreaterThan(0.1)
      expect(rightCheek.redness - forehead.redness).toBeGreaterThan(0.1)
      expect(forehead.brightness).toBeCloseTo(0.76, 1)
      expect(forehead.unevenness).toBeLessThan(0.04)
    },
  )

  test(
    'finds both of two faces, and none where there is none',
    { timeout: 5 * minutes },
    async () => {
      const [two, none] = await Promise.all([
        detector.detect(await drawFaces([{}, {}])),
        detector.detect(await drawFaces([])),
      ])
      expect([two.length, none.length]).toEqual([2, 0])
    },
  )

  test('gives up on a picture that takes too long', async () => {
    const hasty = createFaceDetector({ timeoutSeconds: 0.05 })
    const picture = await drawFaces([{}])
    await expect(hasty.detect(picture)).rejects.toMatchObject({ failure: 'timeout' })
    await hasty.close()
  })

  test('drops a picture whose caller has gone', async () => {
    const controller = new AbortController()
    const patient = createFaceDetector({ timeoutSeconds: 60 })
    const detection = patient.detect(await drawFaces([{}]), controller.signal)
    controller.abort()
    await expect(detection).rejects.toMatchObject({ failure: 'aborted' })
    await patient.close()
  })

  test('fails pending and later pictures when closed', async () => {
    const closing = createFaceDetector({ timeoutSeconds: 60 })
    const picture = await drawFaces([{}])
    const running = closing.detect(picture)
    await Promise.all([
      expect(running).rejects.toMatchObject({ failure: 'unavailable' }),
      // By then the thread has the picture.
      Promise.resolve().then(() => closing.close()),
    ])
    await expect(closing.detect(picture)).rejects.toMatchObject({ failure: 'aborted' })
  })

  test('refuses pictures beyond its queue', async () => {
    const full = createFaceDetector({ timeoutSeconds: 60 })
    const picture = Buffer.from('no picture')
    const detections = Array.from({ length: 16 }, () => full.detect(picture).catch(() => undefined))
    await expect(full.detect(picture)).rejects.toMatchObject({ failure: 'unavailable' })
    await full.close()
    await Promise.all(detections)
  })
})

describe('the description of a face', () => {
  const patch = { brightness: 0.6, redness: 0.2, unevenness: 0.02 }
  const face = (
    changes: Partial<Record<'forehead' | 'leftCheek' | 'rightCheek', Partial<typeof patch>>> = {},
  ) => ({
    regions: {
      forehead: { ...patch, ...changes.forehead },
      leftCheek: { ...patch, ...changes.leftCheek },
      rightCheek: { ...patch, ...changes.rightCheek },
    },
  })

  test('lists observations by area', () => {
    const redFace = face({ leftCheek: { redness: 0.31 }, rightCheek: { unevenness: 0.08 } })
    expect(describeFaces([redFace], 'en')).toEqual({
      response:
        'What the picture shows, described and not judged:\n- whole face: The light is even.\n- left cheek: A strong red tone is visible.\n- right cheek: The tone varies.',
      analysis: {
        faceDetected: true,
        observations: [
          { area: 'whole face', finding: 'The light is even.', severity: 'LOW' },
          { area: 'left cheek', finding: 'A strong red tone is visible.', severity: 'HIGH' },
          { area: 'right cheek', finding: 'The tone varies.', severity: 'MEDIUM' },
        ],
      },
    })
  })

  test('is independent of skin tone: redness is relative to the rest of the face', () => {
    const red = { redness: 0.4 }
    const everywhere = face({ forehead: red, leftCheek: red, rightCheek: red })
    expect(describeFaces([everywhere], 'en').analysis.observations).toHaveLength(1)
  })

  test('says in Turkish that a picture is dark', () => {
    const dark = { brightness: 0.1 }
    const { analysis } = describeFaces(
      [face({ forehead: dark, leftCheek: dark, rightCheek: dark })],
      'tr-TR',
    )
    expect(analysis.observations).toEqual([
      {
        area: 'tüm yüz',
        finding: 'Resim karanlık; tonlar ancak kabaca seçilebiliyor.',
        severity: 'HIGH',
      },
    ])
  })

  test.each([0, 2, 3])('of %i faces is empty', (count) => {
    expect(
      describeFaces(
        Array.from({ length: count }, () => face()),
        'en',
      ).analysis,
    ).toEqual({
      faceDetected: false,
      observations: [],
    })
  })
})
