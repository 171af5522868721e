import type { FaceRegion, FoundFace } from '../../adapters/face_detector.ts'
import type { FaceAnswer, Observation } from './ai_model.ts'
import { phrases } from './phrases.ts'
import type { Language } from './vocabulary.ts'

type Severity = Observation['severity']

interface Scale {
  measure: keyof FaceRegion
  /** From where on it is worth a word, and from where on it is plain. */
  from: Record<Severity, number>
  finding: Record<Language, Record<Severity, string>>
}

/**
 * Redness, against the least red patch of the same face, and unevenness. The words describe a picture: they name no
 * condition and no cause.
 */
const scales: readonly Scale[] = [
  {
    measure: 'redness',
    from: { LOW: 0.03, MEDIUM: 0.06, HIGH: 0.1 },
    finding: {
      en: {
        LOW: 'A slight red tone is visible.',
        MEDIUM: 'A red tone is visible.',
        HIGH: 'A strong red tone is visible.',
      },
      tr: {
        LOW: 'Hafif bir kırmızı ton görülüyor.',
        MEDIUM: 'Kırmızı bir ton görülüyor.',
        HIGH: 'Belirgin bir kırmızı ton görülüyor.',
      },
    },
  },
  {
    measure: 'unevenness',
    from: { LOW: 0.04, MEDIUM: 0.07, HIGH: 0.11 },
    finding: {
      en: {
        LOW: 'The tone is mostly even.',
        MEDIUM: 'The tone varies.',
        HIGH: 'The tone varies strongly.',
      },
      tr: {
        LOW: 'Ton büyük ölçüde eşit.',
        MEDIUM: 'Ton yer yer değişiyor.',
        HIGH: 'Ton belirgin biçimde değişiyor.',
      },
    },
  },
]

const areas: Record<string, Record<Language, string>> = {
  forehead: { en: 'forehead', tr: 'alın' },
  leftCheek: { en: 'left cheek', tr: 'sol yanak' },
  rightCheek: { en: 'right cheek', tr: 'sağ yanak' },
  face: { en: 'whole face', tr: 'tüm yüz' },
}

const light = {
  dark: {
    en: 'The picture is dark; tones can be told only roughly.',
    tr: 'Resim karanlık; tonlar ancak kabaca seçilebiliyor.',
  },
  even: { en: 'The light is even.', tr: 'Işık dengeli.' },
  uneven: {
    en: 'One side of the face is lit more than the other.',
    tr: 'Yüzün bir tarafı diğerinden daha aydınlık.',
  },
}

const darkBelow = 0.25
const unevenFrom = 0.15

/** What a picture of one face shows. Of none or several faces, nothing is said. */
export function describeFaces(faces: readonly FoundFace[], language: string): FaceAnswer {
  const spoken: Language = language.toLowerCase().startsWith('tr') ? 'tr' : 'en'
  const [face, ...others] = faces
  if (!face || others.length > 0)
    return { response: '', analysis: { faceDetected: false, observations: [] } }
  const observations = [lightOf(face, spoken), ...regionsOf(face, spoken)]
  const lines = observations.map(({ area, finding }) => `- ${area}: ${finding}`)
  return {
    response: [phrases[spoken].faceSeen, ...lines].join('\n'),
    analysis: { faceDetected: true, observations },
  }
}

function lightOf({ regions }: FoundFace, language: Language): Observation {
  const brightness = Object.values(regions).map((region) => region.brightness)
  const mean = brightness.reduce((sum, value) => sum + value, 0) / brightness.length
  const spread = Math.abs(regions.leftCheek.brightness - regions.rightCheek.brightness)
  const area = areas['face']![language]
  if (mean < darkBelow) return { area, finding: light.dark[language], severity: 'HIGH' }
  return spread >= unevenFrom
    ? { area, finding: light.uneven[language], severity: 'MEDIUM' }
    : { area, finding: light.even[language], severity: 'LOW' }
}

function regionsOf({ regions }: FoundFace, language: Language): Observation[] {
  // Skins differ in colour, and so do lamps: a patch is red against the rest of its face.
  const least = Math.min(...Object.values(regions).map(({ redness }) => redness))
  return Object.entries(regions).flatMap(([name, { redness, ...others }]) => {
    const region = { ...others, redness: redness - least }
    return scales.flatMap(({ measure, from, finding }) => {
      const severity = (['HIGH', 'MEDIUM', 'LOW'] as const).find(
        (level) => region[measure] >= from[level],
      )
      if (!severity) return []
      return { area: areas[name]![language], finding: finding[language][severity], severity }
    })
  })
}
