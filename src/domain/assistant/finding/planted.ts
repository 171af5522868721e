import { foldedText } from '../../../language/words.ts'

/*
 * Text in a product that is not about the product: it addresses the assistant or asks for money. It may
 * have been planted, so it is never quoted, whatever is asked.
 */

const addresses = [
  /https?:|www\.|\b[\w-]+\.(?:com|net|org|info|biz|shop|store|site|online|example|io|co|tr|me|xyz|link|app)\b/,
  /[\w.+-]+@[\w-]+\.\w/,
  // IBANs, and numbers that can be called or paid to.
  /\b[a-z]{2}\d{2}(?: ?\w{4}){3,}/,
  /(?:\+|\b0)\d{3}[ .-]?\d{3}[ .-]?\d{2}/,
]

const money =
  /\b(?:discount|promo|voucher|coupon|indirim|kupon|promosyon)\w*(?: \w+)?[ :]*(?:code|kod)|\b(?:code|kodu?)\b ?:? ?[a-z]*\d|\bhavale|\biban\b|\bpay(?:ment)? (?:to|at|via|through|by)\b|\bodeme(?:yi|ler|ni)? |\bbank (?:transfer|account)|\bbitcoin|\bwhatsapp|\bgift ?card/

const commands =
  /\b(?:ignore|disregard|forget|override)\b.{0,40}\b(?:instruction|rule|prompt|previous|above|guideline)|\b(?:system|sistem) ?(?:prompt|message|mesaj|talimat|:)|\bas an ai\b|\b(?:assistant|asistan|chatbot|ai model|language model|yapay zeka|bot)\b ?[:,]|\b(?:you are|act as|pretend)\b.{0,30}\b(?:now|assistant|expert|bot)\b|\btell (?:the |every |all )?(?:customer|visitor|user|shopper|buyer)|\b(?:musteri|ziyaretci|kullanici)\w* .{0,30}\b(?:soyle|yaz|bildir)\w*|\b(?:kural|talimat)\w* .{0,20}\b(?:yok say|unut|gormezden|uyma)|\b(?:cevap|yanit) ver\b|\b(?:answer|reply|respond)(?: only| always)? with\b|\balways (?:say|answer|reply|recommend)|\bher soruya\b|\bjailbreak|\bdeveloper mode/

/** Whether a sentence of a product must not be quoted. */
export function looksPlanted(sentence: string): boolean {
  const text = foldedText(sentence)
  return addresses.some((pattern) => pattern.test(text)) || demands(text)
}

/** Whether a folded text asks for money or addresses the assistant. */
export const demands = (text: string): boolean => money.test(text) || commands.test(text)
