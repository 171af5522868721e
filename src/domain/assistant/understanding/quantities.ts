import { foldedText } from '../../../language/words.ts'

/** What a number in a text measures, or a question asks for. */
export type Quantity =
  | 'duration'
  | 'frequency'
  | 'weight'
  | 'length'
  | 'volume'
  | 'power'
  | 'voltage'
  | 'sound'
  | 'temperature'
  | 'share'
  | 'people'
  | 'energy'
  | 'age'
  | 'brightness'
  | 'pressure'
  | 'count'

const digits = String.raw`\d+(?:[.,]\d+)*`
const words =
  'one|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty|forty|fifty|sixty|ninety|hundred|half|a|an|' +
  'bir|iki|uc|dort|bes|alti|yedi|sekiz|dokuz|on|yirmi|otuz|kirk|elli|altmis|yetmis|seksen|doksan|yuz|yarim|bucuk|birkac|several|few'
const number = String.raw`(?:${digits}|\b(?:${words})(?:[dt][iu]r|[dt][ae])?\b)`
const time =
  '(?:seconds?|minutes?|mins?|hours?|days?|weeks?|months?|years?|saniye|dakika|saat|gun|hafta|ay|yil)'

const inText: Record<Quantity, RegExp> = {
  duration: new RegExp(
    String.raw`${number}(?:[ -](?:and a half|bucuk|${words}))?[ -]?(?:single )?${time}(?:lik|luk|da|de|ta|te|dan|den|tan|ten|a|e|i|ligina|ya|lar|ler|sinda)?\b|\bomur boyu|\blifetime|\bovernight|\bgece boyu|\bgun boyu|\ball day|\bfor hours|\bsaatlerce`,
  ),
  frequency: new RegExp(
    String.raw`\b(?:once|twice|thrice|${number} times|${number} yikama) (?:a|per|every|each) |\b(?:daily|weekly|monthly|yearly)\b|\bevery (?:other )?(?:${number} )?(?:day|night|morning|evening|week|month|wash|hour|minute|year)|\bmorning and (?:evening|night)|\b(?:gunde|haftada|ayda|yilda) (?:en fazla |en cok )?${number}|${time}(?:da|de|ta|te) bir\b|\bher (?:gun|sabah|aksam|gece|hafta|ay|yikama)|\bsabah (?:ve )?aksam|\bgunluk\b|\bhaftalik\b|\bafter ${number} ${time}`,
  ),
  weight: new RegExp(
    String.raw`${number} ?(?:g|gr|gram|grams|kg|kilo|kilos|kilograms?|lbs?|oz|ton)(?:dir|lik|luk|dur|i|ini|a|ya|da)?\b`,
  ),
  length: new RegExp(
    String.raw`${number} ?(?:mm|cm|m|metres?|meters?|inch(?:es)?|inc|km|santim|(?:santi|mili)metre|(?:centi|milli)met(?:re|er)s?)(?:dir|lik|'?lik|e|yi|den)?\b|\d ?(?:x|by) ?\d`,
  ),
  volume: new RegExp(String.raw`${number} ?(?:ml|cl|dl|l|lt|litres?|liters?|litre)(?:lik|dir)?\b`),
  power: new RegExp(String.raw`${number} ?(?:w|kw|watts?)\b`),
  voltage: new RegExp(String.raw`${number} ?(?:v|volts?)\b`),
  sound: new RegExp(String.raw`${number} ?(?:db|decibels?|desibel)\b`),
  temperature: new RegExp(
    String.raw`${number} ?(?:°|derece|degrees?|celsius)|${digits} ?c\b|\b(?:at|from|to) (?:30|40|60|90|95)\b`,
  ),
  share: new RegExp(
    String.raw`%|\b(?:yuzde|binde) ?${number}|\b(?:${number}) ?(?:percent|per cent)\b`,
  ),
  people: new RegExp(
    String.raw`${number}[ -]?(?:kisi|people|persons?|servings?|porsiyon|sandalye|chairs?|seats?|berth|seater)|\b(?:for|serves|feeds|seats) ${number}\b`,
  ),
  energy: /\bkcal\b|\bkalori|\bcalories\b|\bkj\b/,
  age: new RegExp(
    String.raw`${number}[ -]yas(?:inda|indan|lik|ina|tan|a|)\b|\b(?:ages?|aged|over|under|from) ${number}\b|${number}[ -](?:years?|months?)(?:[ -]old)?\b|\byetiskin|\badults?\b|\bnewborn|\byeni ?dogan`,
  ),
  brightness: new RegExp(String.raw`${number} ?(?:lumens?|lm|lux|candela)`),
  pressure: new RegExp(String.raw`${number} ?(?:bar|psi|kpa|atm|mmhg)\b`),
  count: new RegExp(number),
}

/** What the numbers of a text measure. */
export function quantitiesIn(text: string): Set<Quantity> {
  const folded = foldedText(text)
  const found = new Set<Quantity>()
  for (const [kind, pattern] of Object.entries(inText))
    if (pattern.test(folded)) found.add(kind as Quantity)
  return found
}

const asked: [RegExp, Quantity[]][] = [
  [
    /\bhow old (?:should|must|do|does)|\bwhat ages?\b|\bminimum age|\bkac yas|\byas (?:sinir|aralig|grub)/,
    ['age'],
  ],
  [
    /\bhow often|\bhow many times|\bhow frequently|\bkac (?:kez|kere|defa)|\bne siklik|\bkac \w+(?:da|de|ta|te) bir\b|\b(?:gunde|haftada|ayda) kac/,
    ['frequency'],
  ],
  [
    /\bhow long\b|\bhow (?:fast|quickly|soon)\b|\bkac (?:saat|dakika|gun|ay|yil|hafta|saniye|sene)|\bne kadar (?:sure|gid|dayan|kal|sur|zaman|calis|taze)|\bwhen (?:will|do|does|can)\b|\bhow many (?:hours|minutes|days|weeks|months|years)|\bomru\b|\bbattery life|\bne zaman\b/,
    ['duration'],
  ],
  [/\bhow heavy|\bweigh|\bagirlig|\bagirlik|\bkac (?:gram|gr|kilo|kg)\b|\bwhat weight/, ['weight']],
  [
    /\bhow (?:big|large|wide|tall|high|thick|deep|long)\b|\bboyut|\bolcu|\bebat|\bkac (?:cm|santim|metre|mm)|\bdimensions|\bgenisli|\byuksekli|\bkalinli|\bcapi\b|\bwhat size\b|\bne kadar (?:buyuk|uzun|uza|genis|yuksek|kalin)|\bhow far/,
    ['length'],
  ],
  [
    /\bkac (?:ml|litre|lt|l)\b|\bcapacity|\bhow much (?:water|liquid|does it hold)|\bhacmi|\bhacim|\bkapasite|\bkac bardak/,
    ['volume'],
  ],
  [/\bwatt|\bkac w\b|\bhow much (?:power|electricity)|\bne kadar elektrik|\bguc tuket/, ['power']],
  [/\bvolt/, ['voltage']],
  [/\bdecibel|\bdesibel|\bkac db/, ['sound']],
  [/\bkac derece|\bwhat temperature|\bhow hot\b|\bwhich temperature|\bsicaklig/, ['temperature']],
  [
    /\byuzde kac|\bwhat percent|\bhow much \w+(?: \w+)? (?:is|are) (?:in|inside)|\bconcentration|\borani\b|\bkonsantrasyon/,
    ['share', 'weight', 'volume'],
  ],
  [/\bkac kisi|\bhow many (?:people|persons|guests)|\bserves\b/, ['people']],
  [/\bkalori|\bcalories/, ['energy']],
  [/\bhow bright|\bkac lumen|\blumens?\b|\bne kadar parlak/, ['brightness']],
  [/\bpressure|\bkac (?:bar|psi)\b|\bbasinc/, ['pressure']],
  [/\bhow (?:acidic|strong)\b|\basidi\b/, ['share', 'count']],
  [/\bhow many\b|\bkac (?:tane|adet|parca|renk|cep|kademe)|\bkac\b/, ['count']],
  [
    /\bhow much\b(?! (?:is it|does it cost|money))|\bne kadar\b/,
    ['weight', 'volume', 'share', 'duration', 'count', 'length'],
  ],
]

/** Numbers and the words after each, as far as they may name what is counted: "five bright levels". */
export function countsIn(text: string): string[][] {
  const tokens = foldedText(text).match(/[\p{L}\p{N}]+(?:[.,]\d+)?/gu) ?? []
  return tokens.flatMap((token, index) =>
    isNumber.test(token) ? [tokens.slice(index + 1, index + 4)] : [],
  )
}

const isNumber = new RegExp(`^(?:${digits}|${words.replace('|a|an|', '|')})$`)

/** What a question wants to have counted: the words after "how many". */
export function countedIn(question: string): string[] {
  const text = foldedText(question)
  // Turkish may put the thing first, "kılıfı kaç tane", but also where it is: "kutuda kaç tane".
  const before = /(\p{L}+)(?<!d[ae]|t[ae]) kac (?:tane|adet)\b/u.exec(text)
  const after = /\b(?:how many|kac(?: tane| adet| farkli)?) (\p{L}+)(?: (\p{L}+))?/u.exec(text)
  return [before?.[1], after?.[1], after?.[2]].filter((word) => word !== undefined)
}

/** What a question wants to have measured; empty if it asks for no number. */
export function quantitiesAsked(question: string): readonly Quantity[] {
  const folded = foldedText(question)
  return asked.find(([pattern]) => pattern.test(folded))?.[1] ?? []
}
