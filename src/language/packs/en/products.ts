import type { PlantedWords, ProductWords } from '../../pack.ts'

export const products: ProductWords = {
  negative: [
    /\b(?:no|not|n't|never|without|none|zero|free (?:of|from)|cannot|nothing|isn't|doesn't|don't)\b/,
    /[a-z]-free\b/,
  ],
  warning: `not (?:for|meant|suitable|recommended|intended|safe|to be|advised), do not, don't, never, avoid,
    should not, must not, shouldn't, keep (?:it |this )?(?:off|away|out), unsuitable,
    too (?:drying|harsh|heavy|strong|rich), strips?,
    (?:may|might|can|could) (?:\\w+ )?(?:tingle|irritate|sting|stain|bleed|fade|flake|peel|dry|clog|burn|itch|harm|discolou?r|redden|cause|trigger|feel tight|feel heavy|break out)`,
  supervision: `unattended, unsupervised, supervis*, leave (?:\\w+ )?(?:\\w+ )?alone, out of (?:the )?(?:reach|sight),
    an adult, watch`,
  contrasts: 'but',
  morning: `mornings?, daytime, spf, sunscreen, sun ?(?:lotion|cream|fluid|spray|screen|block)`,
  evening: 'evenings?, nights?, overnight, bedtime',
}

export const planted: PlantedWords = {
  offers: 'discount, promo, voucher, coupon',
  code: 'code',
  money: [
    /\bpay(?:ment)? (?:to|at|via|through|by)\b/,
    /\bbank (?:transfer|account)/,
    /\biban\b/,
    /\bbitcoin/,
    /\bwhatsapp/,
    /\bgift ?card/,
  ],
  system: 'system',
  prompt: 'prompt, message',
  commands: [
    /\b(?:ignore|disregard|forget|override)\b.{0,40}\b(?:instruction|rule|prompt|previous|above|guideline)/,
    /\bas an ai\b/,
    /\b(?:assistant|chatbot|ai model|language model|bot)\b ?[:,]/,
    /\b(?:you are|act as|pretend)\b.{0,30}\b(?:now|assistant|expert|bot)\b/,
    /\btell (?:the |every |all )?(?:customer|visitor|user|shopper|buyer)/,
    /\b(?:answer|reply|respond)(?: only| always)? with\b/,
    /\balways (?:say|answer|reply|recommend)/,
    /\bjailbreak/,
    /\bdeveloper mode/,
  ],
  dot: 'dot',
  at: 'at',
}
