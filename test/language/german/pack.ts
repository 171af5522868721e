import type { LanguagePack, StageWords } from '../../../src/language/pack.ts'
import lexicon from './lexicon.json' with { type: 'json' }

/*
 * As much German as the test of a third language asks. A pack has types and data alone, so it works
 * wherever its folder stands.
 */

const endings = ['', 'e', 'en', 'er', 'es', 'em', 'n', 's', 'st', 't']

const stage = (names: string, search = names): StageWords => ({ names, search })
const concern = (words: string) => ({ search: words, about: words, helps: 'pfleg', tags: words })

/** A need by the same words wherever it is said. */
const plainNeed = (...words: string[]) => {
  const list = words.join(', ')
  return { names: list, says: words.map((word) => `fur den ${word}`).join(', '), asks: list }
}

export const german: LanguagePack = {
  smallWords: {
    words: `aber als am an auch auf aus bei bin bis da das dem den der des die du ein eine einem einen einer er es
      für haben hat ich ihr im in ist ja kann man mein mit möchte nein nicht nichts noch nur oder ohne sie sind so
      und uns von war was welche welchem welcher welches wenn wer wie wir wird wo zu zum zur passt gibt bitte`,
    letters: /[äöüßÄÖÜ]/g,
    endings: /\b\w{3,}(?:ung|heit|keit|lich|isch)\b/gi,
  },
  forms: {
    rootsOf: (word) =>
      endings.flatMap((ending) => {
        const root = word.slice(0, word.length - ending.length)
        return ending && word.endsWith(ending) && root.length >= 4 ? [root] : []
      }),
    marked: { a: 'ä', o: 'ö', u: 'ü' },
    endings: endings.join(' ').trim(),
    searchEndings: 'e en er n s',
  },
  lexicon: [lexicon],
  questions: {
    others: [/\bhaben sie\b/, /\bwelche produkte\b/, /\bempfehl/, /\betwas anderes\b/],
    thisOne: 'dies*, er, es, sie dazu',
    surelyOthers: [/\bandere (?:produkte|farben)/],
    general: 'erzahl*, beschreib*, was ist',
    open: 'wie, was, welche*, wann, wo, wer, warum',
    having: [/\bhat (?:er|es|sie|der|die|das)\b/, /\bgibt es\b/],
    classes: {
      material: [/\bmaterial/, /\bworaus\b/],
      colour: [/\bwelche farbe/],
      place: [/\bwo (?:wird|ist) .*hergestellt/, /\baus welchem land/],
      ingredient: [/\binhaltsstoff/, /\bwas ist drin/],
    },
  },
  numbers: {
    numerals: 'eins, zwei, drei, vier, funf',
    values: { eins: 1, zwei: 2, drei: 3, vier: 4, funf: 5 },
    measures: 'eins, zwei, drei, vier, funf, zehn, halbe*',
  },
  quantities: {
    time: 'sekunden?, minuten?, stunden?, tage?, wochen?, monate?, jahre?',
    units: { weight: 'gramm, kilo', volume: 'liter', temperature: 'grad' },
    said: { frequency: [/\btaglich\b/, /\b<number>mal\b/] },
    asked: {
      frequency: [/\bwie oft\b/],
      duration: [/\bwie lange\b/],
      weight: [/\bwie schwer\b/],
      volume: [/\bwie viel (?:wasser|fasst|passt)/],
      count: [/\bwie viele\b/],
      amount: [/\bwie viel\b/],
    },
    countAsked: 'wie viele',
  },
  demands: {
    clauseEnds: 'aber, bitte',
    leaving: 'ohne, kein, keine, keinen, nichts mit',
    left: { words: 'weglassen', joins: 'und, oder' },
    allergy: 'allergisch, allergie*',
    around: 'gegen, auf, ich, bin, die, der, das, produkt*',
    not: 'nicht',
    inStockOnly: [/\bnur .{0,20}(?:vorratig|lieferbar)/],
    onlySelected: [/\bnur diese\b/],
    celiac: 'zoliakie*',
    privative: { suffix: '[- ]?frei', ending: 'frei|los' },
    morning: 'morgens?',
    evening: 'abends?, nachts?',
    steps: { or: 'oder, bis', simple: 'einfache', nouns: 'schritte?, produkte?' },
  },
  needs: {
    bearers: {
      skin: {
        nouns: 'haut, gesicht',
        types: {
          dry_skin: 'trockene*',
          oily_skin: 'fettige*',
          combination_skin: 'misch',
          normal_skin: 'normale*',
          sensitive_skin: 'empfindlich*',
        },
        every: [/\b(?:jede|alle) haut/],
      },
      hair: {
        nouns: 'haar, haare, haaren',
        types: {
          dry_hair: 'trockene*',
          oily_hair: 'fettige*',
          normal_hair: 'normale*',
          fine_hair: 'feine*',
          thick_hair: 'dicke*',
          curly_hair: 'lockige*',
          straight_hair: 'glatte*',
        },
        every: [/\b(?:jedes|alle) haar/],
      },
    },
    plain: {
      spring: plainNeed('fruhling', 'fruhjahr'),
      summer: plainNeed('sommer'),
      autumn: plainNeed('herbst'),
      winter: plainNeed('winter'),
      indoors: plainNeed('drinnen', 'innen'),
      outdoors: plainNeed('draussen', 'aussen'),
      men: plainNeed('herren', 'manner'),
      women: plainNeed('damen', 'frauen'),
    },
    every: { season: [/\bjede jahreszeit/] },
    joins: 'und, oder',
    very: 'sehr',
    between: 'reife',
    is: 'sehr',
    verbs: 'ist',
    except: { before: 'ausser' },
    denied: { before: 'nicht, keine' },
    unsuited: [/\bnicht (?:fur|geeignet)/],
    praise: [/\bnicht nur\b/],
    applied: [/\bauf </],
    colours: [/\bnachtblau\b/],
  },
  products: {
    negative: [/\b(?:kein\w*|nicht|ohne|nie)\b/, /[a-z]frei\b/],
    warning: 'nicht (?:fur|geeignet), vermeiden',
    contrasts: 'aber',
    morning: 'morgens?, sonnencreme',
    evening: 'abends?, nachts?',
  },
  planted: {
    offers: 'rabatt, gutschein',
    code: 'code',
    money: [/\buberweis/],
    system: 'system',
    prompt: 'nachricht, anweisung',
    commands: [/\bignorier\w* .{0,40}\b(?:anweisung|regel)/],
    dot: 'punkt',
    at: 'at',
  },
  impostors: 'kundendienst, rechnung, bank',
  routines: {
    stages: {
      BEAUTY: {
        cleanse: stage('seife, reinig', 'seife reinigung'),
        tone: stage('tonikum'),
        treat: stage('serum'),
        moisturise: stage('creme'),
        protect: stage('sonnencreme'),
        finish: stage('lippenstift'),
      },
      TEXTILE: {
        base: stage('socke'),
        wear: stage('hemd'),
        layer: stage('jacke'),
        care: stage('waschmittel'),
      },
      GENERAL: { prepare: stage('reinig'), care: stage('pflege'), protect: stage('schutz') },
    },
    afterSun: 'nach der sonne',
    areas: { hair: 'haar*', hand: 'hande?', lip: 'lippen*', body: 'korper*' },
    sets: 'set',
    requests: 'routine pflege schritt schritte',
    usage: 'anwendung',
  },
  faces: {
    concerns: {
      redness: concern('rotung'),
      unevenness: concern('flecken'),
      dryness: concern('trocken'),
      shine: concern('glanz'),
      dullness: concern('fahl'),
    },
    warning: [/\bkann .*verursachen/],
    elsewhere: 'haar*, hande?, korper*',
  },
}
