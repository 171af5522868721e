import sharp, { type Sharp } from 'sharp'
import { afterAll, describe, expect, test } from 'vitest'
import { createFaceDetector } from '../../../src/adapters/face_detector.ts'
import type { ApiError } from '../../../src/core/errors.ts'
import { describeFace, requireUsableFace } from '../../../src/domain/assistant/face_analysis.ts'
import { allCases } from '../../every_operation/turns.ts'
import { drawFaces } from '../../kit/faces.ts'

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
      expect(leftCheek.redness - forehead.redness).toBeGreaterThan(0.05)
      expect(rightCheek.redness - forehead.redness).toBeGreaterThan(0.05)
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

describe('the findings of a face', () => {
  /** What people and programs do to a picture without meaning to change it. */
  const changes: Record<string, (picture: Sharp) => Sharp> = {
    mirrored: (picture) => picture.flop(),
    compressed: (picture) => picture.jpeg({ quality: 60 }),
    smaller: (picture) => picture.resize(432),
    larger: (picture) => picture.resize(560),
    brighter: (picture) => picture.modulate({ brightness: 1.05 }),
    darker: (picture) => picture.modulate({ brightness: 0.93 }),
    cropped: (picture) => picture.extract({ left: 14, top: 10, width: 450, height: 560 }),
    turned: (picture) => picture.rotate(3, { background: '#8b979c' }),
    'mirrored and cropped': (picture) =>
      picture.extract({ left: 14, top: 10, width: 450, height: 560 }).flop(),
  }
  const findingsIn = async (picture: Buffer) =>
    describeFace(requireUsableFace(await detector.detect(picture)), 'en')

  const cheeks = [
    { blush: 0, concerns: [] },
    { blush: 0.25, concerns: ['redness'] },
    { blush: 0.5, concerns: ['redness'] },
  ].map((each, turn) => ({ ...each, turn }))

  // Each change is made to one of them in turn, and to all on demand.
  test.each(cheeks)(
    'are the same in a changed picture with cheeks of redness $blush',
    { timeout: 5 * minutes },
    async ({ blush, concerns, turn }) => {
      const original = await drawFaces([{ blush }])
      const answer = await findingsIn(original)
      expect(answer.concerns).toEqual(concerns)
      for (const [index, [name, change]] of Object.entries(changes).entries()) {
        if (!allCases && index % cheeks.length !== turn) continue
        const changed = await findingsIn(await change(sharp(original)).toBuffer())
        expect([name, changed]).toEqual([name, answer])
      }
    },
  )
})

describe('a picture that shows too little', () => {
  const outcomeOf = async (picture: Buffer) => {
    const faces = await detector.detect(picture)
    try {
      requireUsableFace(faces)
      return 'usable'
    } catch (error) {
      return (error as ApiError).fieldErrors?.image
    }
  }
  const drawn = () => drawFaces([{ blush: 0.3 }])

  test.each([
    ['as it is', (picture: Sharp) => picture, 'usable'],
    ['half the size', (picture: Sharp) => picture.resize(240), 'usable'],
    ['a little dark', (picture: Sharp) => picture.modulate({ brightness: 0.6 }), 'usable'],
    ['small', (picture: Sharp) => picture.resize(120), ['faceSmall', { pixels: 80 }]],
    ['dark', (picture: Sharp) => picture.modulate({ brightness: 0.22 }), 'faceDark'],
    ['blurred', (picture: Sharp) => picture.blur(8), 'faceBlurred'],
  ])('is refused: %s', { timeout: 5 * minutes }, async (_name, change, outcome) => {
    expect(await outcomeOf(await change(sharp(await drawn())).toBuffer())).toEqual(outcome)
  })

  test('is judged by its light, not by the tone of the skin', () => {
    const patch = { brightness: 0.15, redness: 0.45, unevenness: 0.01 }
    const regions = { forehead: patch, leftCheek: patch, rightCheek: patch }
    const face = { regions, width: 300, light: 0.8, sharpness: 0.4 }
    expect(requireUsableFace([face])).toBe(face)
  })

  test.each([0, 2, 3])('is refused with %i faces', (count) => {
    const patch = { brightness: 0.6, redness: 0.4, unevenness: 0.01 }
    const regions = { forehead: patch, leftCheek: patch, rightCheek: patch }
    const face = { regions, width: 300, light: 0.8, sharpness: 0.4 }
    expect(() => requireUsableFace(Array.from({ length: count }, () => face))).toThrow(
      'The picture does not show exactly one face.',
    )
  })
})

describe('the description of a face', () => {
  const patch = { brightness: 0.6, redness: 0.4, unevenness: 0.01 }
  const face = (
    changes: Partial<Record<'forehead' | 'leftCheek' | 'rightCheek', Partial<typeof patch>>> = {},
  ) => ({
    regions: {
      forehead: { ...patch, ...changes.forehead },
      leftCheek: { ...patch, ...changes.leftCheek },
      rightCheek: { ...patch, ...changes.rightCheek },
    },
    width: 300,
    light: 0.8,
    sharpness: 0.4,
  })

  test('lists observations by area, and what products may speak of', () => {
    const redFace = face({ leftCheek: { redness: 0.5 }, rightCheek: { unevenness: 0.08 } })
    expect(describeFace(redFace, 'en')).toEqual({
      response:
        'What the picture shows, described and not judged:\n- whole face: The light is even.\n- cheeks: A strong red tone is visible.\n- cheeks: The tone varies.',
      analysis: {
        faceDetected: true,
        observations: [
          { area: 'whole face', finding: 'The light is even.', severity: 'LOW' },
          { area: 'cheeks', finding: 'A strong red tone is visible.', severity: 'HIGH' },
          { area: 'cheeks', finding: 'The tone varies.', severity: 'MEDIUM' },
        ],
      },
      concerns: ['redness', 'unevenness'],
    })
  })

  test('is the same for the mirror image', () => {
    const left = face({ leftCheek: { redness: 0.46, brightness: 0.4 } })
    const right = face({ rightCheek: { redness: 0.46, brightness: 0.4 } })
    expect(describeFace(left, 'tr')).toEqual(describeFace(right, 'tr'))
  })

  test('is independent of skin tone: redness is relative to the rest of the face', () => {
    const red = { redness: 0.55 }
    const everywhere = face({ forehead: red, leftCheek: red, rightCheek: red })
    const { analysis, concerns } = describeFace(everywhere, 'en')
    expect([analysis.observations.length, concerns]).toEqual([1, []])
  })

  test('says in Turkish that the light is uneven, and acts on nothing that is mostly even', () => {
    const dim = face({ leftCheek: { brightness: 0.4 }, forehead: { unevenness: 0.05 } })
    const { analysis, concerns } = describeFace(dim, 'tr-TR')
    expect(analysis.observations).toEqual([
      {
        area: 'tüm yüz',
        finding: 'Yüzün bir tarafı diğerinden daha aydınlık.',
        severity: 'MEDIUM',
      },
      { area: 'alın', finding: 'Ton büyük ölçüde eşit.', severity: 'LOW' },
    ])
    expect(concerns).toEqual([])
  })
})
