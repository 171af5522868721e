import type { DetectedFace, FaceRegion } from '../../adapters/face_detector.ts'
import type { FaceAnswer, Observation } from './ai_model.ts'
import {
  bestLanguage,
  type Language,
  type ServiceTexts,
  serviceTexts,
} from '../../texts/languages.ts'

type Severity = Observation['severity']

type FaceText = keyof ServiceTexts['face']

interface Scale {
  measure: keyof FaceRegion
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
    from: { LOW: 0.03, MEDIUM: 0.06, HIGH: 0.1 },
    finding: { LOW: 'rednessLow', MEDIUM: 'rednessMedium', HIGH: 'rednessHigh' },
  },
  {
    measure: 'unevenness',
    from: { LOW: 0.04, MEDIUM: 0.07, HIGH: 0.11 },
    finding: { LOW: 'unevennessLow', MEDIUM: 'unevennessMedium', HIGH: 'unevennessHigh' },
  },
]

const areas: Record<keyof DetectedFace['regions'], FaceText> = {
  forehead: 'forehead',
  leftCheek: 'leftCheek',
  rightCheek: 'rightCheek',
}

const darkBelow = 0.25
const unevenFrom = 0.15

/** Describes a picture of one face. With no face or several, there are no observations. */
export function describeFaces(faces: readonly DetectedFace[], language: string): FaceAnswer {
  const supported = bestLanguage([language])
  const [face, ...others] = faces
  if (!face || others.length > 0)
    return { response: '', analysis: { faceDetected: false, observations: [] } }
  const observations = [lightOf(face, supported), ...regionsOf(face, supported)]
  const lines = observations.map(({ area, finding }) => `- ${area}: ${finding}`)
  return {
    response: [serviceTexts[supported].assistant.faceSeen, ...lines].join('\n'),
    analysis: { faceDetected: true, observations },
  }
}

function lightOf({ regions }: DetectedFace, language: Language): Observation {
  const brightness = Object.values(regions).map((region) => region.brightness)
  const mean = brightness.reduce((sum, value) => sum + value, 0) / brightness.length
  const spread = Math.abs(regions.leftCheek.brightness - regions.rightCheek.brightness)
  const { wholeFace: area, dark, even, uneven } = serviceTexts[language].face
  if (mean < darkBelow) return { area, finding: dark, severity: 'HIGH' }
  return spread >= unevenFrom
    ? { area, finding: uneven, severity: 'MEDIUM' }
    : { area, finding: even, severity: 'LOW' }
}

function regionsOf({ regions }: DetectedFace, language: Language): Observation[] {
  // Skin tone and lighting vary: measure redness relative to the rest of the same face.
  const t = serviceTexts[language].face
  const least = Math.min(...Object.values(regions).map(({ redness }) => redness))
  return Object.entries(regions).flatMap(([name, { redness, ...others }]) => {
    const region = { ...others, redness: redness - least }
    return scales.flatMap(({ measure, from, finding }) => {
      const severity = (['HIGH', 'MEDIUM', 'LOW'] as const).find(
        (level) => region[measure] >= from[level],
      )
      if (!severity) return []
      return { area: t[areas[name as keyof typeof areas]], finding: t[finding[severity]], severity }
    })
  })
}
