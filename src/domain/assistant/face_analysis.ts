import type { DetectedFace, FaceRegion } from '../../adapters/face_detector.ts'
import { ApiError } from '../../core/errors.ts'
import type { FaceAnswer, FaceConcern, Observation } from './ai_model.ts'
import {
  bestLanguage,
  type Language,
  type ServiceTexts,
  serviceTexts,
} from '../../texts/languages.ts'
import type { RefusalKey } from '../../texts/refusals.ts'

type Severity = Observation['severity']

type FaceText = keyof ServiceTexts['face']

/** What a picture must have before a model looks at it. */
const least = { width: 80, light: 0.3, sharpness: 0.14 }

/** The one face of a picture, if a model can tell anything about it; refuses any other picture. */
export function requireUsableFace(faces: readonly DetectedFace[]): DetectedFace {
  const [face, ...others] = faces
  if (!face || others.length > 0) throw noFace()
  if (face.light < least.light) throw unusable('faceDark')
  if (face.width < least.width) throw unusable('faceSmall')
  if (face.sharpness < least.sharpness) throw unusable('faceBlurred')
  return face
}

export function noFace(): ApiError {
  return new ApiError('no_face', 'noFace', { image: 'oneFaceExpected' })
}

function unusable(key: Extract<RefusalKey, `face${string}`>): ApiError {
  const reason = key === 'faceSmall' ? ([key, { pixels: least.width }] as const) : key
  return new ApiError('invalid_input', reason, { image: reason })
}

interface Scale {
  measure: keyof FaceRegion & FaceConcern
  /** Thresholds for each severity. */
  from: Record<Severity, number>
  finding: Record<Severity, FaceText>
}

/**
 * Redness, relative to the least red patch of the same face, and unevenness. The wording describes
 * a picture: it names no condition and no cause.
 */
const scales: readonly Scale[] = [
  {
    measure: 'redness',
    from: { LOW: 0.03, MEDIUM: 0.047, HIGH: 0.09 },
    finding: { LOW: 'rednessLow', MEDIUM: 'rednessMedium', HIGH: 'rednessHigh' },
  },
  {
    measure: 'unevenness',
    from: { LOW: 0.04, MEDIUM: 0.07, HIGH: 0.11 },
    finding: { LOW: 'unevennessLow', MEDIUM: 'unevennessMedium', HIGH: 'unevennessHigh' },
  },
]

const unevenFrom = 0.15

/** Describes the face of a picture. */
export function describeFace(face: DetectedFace, language: string): FaceAnswer {
  const supported = bestLanguage([language])
  const found = findingsOf(face)
  const t = serviceTexts[supported].face
  const observations = [
    lightOf(face, supported),
    ...found.map(({ area, finding, severity }) => ({
      area: t[area],
      finding: t[finding],
      severity,
    })),
  ]
  const lines = observations.map(({ area, finding }) => `- ${area}: ${finding}`)
  return {
    response: [serviceTexts[supported].assistant.faceSeen, ...lines].join('\n'),
    analysis: { faceDetected: true, observations },
    concerns: [...new Set(found.flatMap(concernOf))],
  }
}

function lightOf({ regions }: DetectedFace, language: Language): Observation {
  const spread = Math.abs(regions.leftCheek.brightness - regions.rightCheek.brightness)
  const { wholeFace: area, even, uneven } = serviceTexts[language].face
  return spread >= unevenFrom
    ? { area, finding: uneven, severity: 'MEDIUM' }
    : { area, finding: even, severity: 'LOW' }
}

interface Finding {
  area: 'forehead' | 'cheeks'
  measure: Scale['measure']
  finding: FaceText
  severity: Severity
}

/**
 * What shows in each area. Both cheeks are one: a selfie may be mirrored, so that nobody knows which
 * is which.
 */
function findingsOf({ regions }: DetectedFace): Finding[] {
  const { forehead, leftCheek, rightCheek } = regions
  // Skin tone and lighting vary: measure redness relative to the rest of the same face.
  const least = Math.min(...Object.values(regions).map(({ redness }) => redness))
  const areas: [Finding['area'], FaceRegion[]][] = [
    ['forehead', [forehead]],
    ['cheeks', [leftCheek, rightCheek]],
  ]
  return areas.flatMap(([area, patches]) =>
    scales.flatMap(({ measure, from, finding }) => {
      const base = measure === 'redness' ? least : 0
      const value = Math.max(...patches.map((patch) => patch[measure])) - base
      const severity = (['HIGH', 'MEDIUM', 'LOW'] as const).find((level) => value >= from[level])
      return severity ? { area, measure, finding: finding[severity], severity } : []
    }),
  )
}

/** A tone that is mostly even is nothing to act upon. */
function concernOf({ measure, severity }: Finding): FaceConcern[] {
  return measure === 'unevenness' && severity === 'LOW' ? [] : [measure]
}
