import { expect, test } from 'vitest'
import { answerOwn } from '../../../src/domain/assistant/built_in/own_answers.ts'
import type { ProductChat } from '../../../src/domain/assistant/ai_model.ts'
import { questionOf } from '../../../src/domain/assistant/understanding/questions.ts'
import { smallShop as shop } from './small_shop.ts'

function answerTo(message: string, description: string, tags: string[] = []): string {
  const product: ProductChat['product'] = {
    id: 'p',
    name: 'Thing 12',
    brand: 'Kiln',
    description,
    information: '',
    tags,
    stock: 3,
    sales: [],
  }
  const answer = answerOwn({ shop, product, message }, questionOf(message, []), 2)
  return answer?.response ?? 'nothing'
}

test.each([
  // Having.
  ['Does it contain latex?', 'Latex free.', 'No.'],
  ['Does it contain latex?', 'Contains latex and nylon.', 'Yes.'],
  ['Is there nickel in it?', 'Made without lead, nickel or cadmium.', 'No.'],
  ['Does it come with a charger?', 'It does not come with a charger.', 'No.'],
  ['Are the screws included?', 'Screws are sold separately.', 'No.'],
  ['Does it have a lid?', 'A glass bowl with a lid.', 'Yes.'],
  ['Is it unscented?', 'It contains no perfume.', 'Yes.'],
  ['Is it sugar free?', 'Contains no sugar.', 'Yes.'],
  ['Lateks içeriyor mu?', 'Lateks ve nikel içermez.', 'Hayır.'],
  ['İçinde parfüm var mı?', 'Parfümsüzdür.', 'Hayır.'],
  ['Kapağı var mı?', 'Cam kapak dahildir.', 'Evet.'],
  ['Parfümsüz mü?', 'Parfüm içermez.', 'Evet.'],
  ['Does it contain perfume?', 'Parfüm ve alkol içermez.', 'No.'],
  ['Lateks var mı?', 'Knitted gloves with a palm of nylon. Latex free.', 'Hayır.'],
  ['Is it alcohol free?', 'Contains no alcohol or perfume.', 'Yes.'],
  ['Is it gluten free?', 'Contains gluten.', 'No.'],
  ['Sülfatlı mı?', 'Sülfat içermez, fazla yağı alır.', 'Hayır.'],
  ['Do you have it in black?', 'Available in black and white.', 'Yes.'],
  ['Siyahı var mı?', 'Comes in sky blue and black.', 'Evet.'],
  ['Does it have Bluetooth?', 'Connects by Bluetooth.', 'Yes.'],
  ['Can I connect it over Bluetooth?', 'Bluetooth bulunmaz.', 'No.'],
  ['Is there a warranty?', 'Two-year warranty.', 'Yes.'],
  // Suiting.
  ['Is it safe for babies?', 'Suitable for babies and children.', 'Yes.'],
  ['Can I use it outdoors?', 'Not suitable for outdoor use.', 'No.'],
  ['Is it suitable for dogs?', 'Not recommended for dogs.', 'No.'],
  ['Is it dishwasher safe?', 'Dishwasher safe.', 'Yes.'],
  ['Bebekler için uygun mu?', 'Bebekler için uygundur.', 'Evet.'],
  ['Dış cephede kullanılır mı?', 'Dış cephede kullanılmaz.', 'Hayır.'],
  ['Is it suitable for dogs?', 'Köpekler için uygun değildir.', 'No.'],
  ['Can I put it in the oven?', 'Not for the oven.', 'No.'],
  ['Can it go in the dishwasher?', 'Dishwasher safe.', 'Yes.'],
  ['Is it suitable for outdoor use?', 'Not suitable for outdoor use.', 'No.'],
  ['Fırına girer mi?', 'Fırına ve mikrodalgaya girmez.', 'Hayır.'],
  ['Bulaşık makinesine girer mi?', 'Bulaşık makinesine girebilir.', 'Evet.'],
  ['Sülfatlı mı?', 'Sülfat içermez.', 'Hayır.'],
  ['Yumurtalı mı?', 'Yumurta içerir.', 'Evet.'],
  ['GPS var mı?', "GPS'i yoktur, konumu telefondan alır.", 'Hayır.'],
  ['Palm yağı var mı içinde?', 'Palm yağı yoktur.', 'Hayır.'],
  ['İndüksiyonda olur mu?', 'İndüksiyon dahil her ocakta kullanılır.', 'Evet.'],
  ['Does it work on induction?', 'Works on all hobs, including induction.', 'Yes.'],
  ['Does it work with Android?', 'It does not work with Android.', 'No.'],
  ['Can I use it outdoors?', 'Suitable for indoor and outdoor use.', 'Yes.'],
  ['Bulaşık makinesine girer mi?', 'Bulaşık makinesinde yıkamayın.', 'Hayır.'],
  // Being and doing.
  ['Gözü yakar mı?', 'Gözü yakmaz.', 'Hayır.'],
  ['Su geçirir mi?', 'Su geçirmez.', 'Hayır.'],
  ['Is the cover removable?', 'The cover is removable.', 'Yes.'],
  ['Is the cover removable?', 'The cover is not removable.', 'No.'],
  ['Does the lid lock?', 'The lid locks.', 'Yes.'],
  ['Makinede yıkanır mı?', 'Machine wash at 30 degrees.', 'Evet.'],
  ['Yağmura dayanıklı mı?', 'Yağmura dayanıklı değildir.', 'Hayır.'],
  ['Is it vegan?', 'It is vegan.', 'Yes.'],
  ['Is it vegan?', 'It is not vegan.', 'No.'],
  ['Is it vegan?', 'This cream is vegan and cruelty-free.', 'Yes.'],
  ['Is it made of wood?', 'Made of beech wood.', 'Yes.'],
  ['Is it made of plastic?', 'Made of glass, not plastic.', 'No.'],
  ['Is it made in Portugal?', 'Made in Portugal.', 'Yes.'],
  ['Kapüşonu ayarlanıyor mu?', 'The hood adjusts with one hand.', 'Evet.'],
  ['Vegan mı?', 'Vegandır.', 'Evet.'],
  ['Vegan mı?', 'Vegan değildir.', 'Hayır.'],
  ['Can it be painted?', 'It cannot be painted.', 'No.'],
  ['Is it machine washable?', 'Machine washable at 40 degrees.', 'Yes.'],
  ['Metal yapıştırır mı?', 'Metal ve plastik yapıştırmaz.', 'Hayır.'],
  ['Sararır mı?', 'Sararmaz, çatlamaz.', 'Hayır.'],
])('%s is answered by “%s” with %s', (question, text, opening) => {
  const response = answerTo(question, text)
  expect(response.slice(0, opening.length)).toBe(opening)
})

test.each([
  ['Is the case leather?', 'The strap is leather, the case is not.'],
  ['Is the strap removable?', 'The cover is removable.'],
  ['Dayanıklı mı?', 'Dayanıklılık içermez.'],
  ['Yakar mı?', 'Cildi yakmaz.'],
  ['Can I wash it?', 'Do not wash with bleach.'],
  ['Can I wash it?', 'Do not wash above 40 degrees.'],
  ['Does it contain oil?', 'The oil does not stain.'],
  ['Does it need a charger?', 'It does not come with a charger.'],
  ['Does it contain perfume?', 'Contains no parabens, smells of perfume.'],
  ['Is it suitable for children?', 'Not suitable for children under 3.'],
  ['Is it suitable for dry skin?', 'Not recommended for very dry skin.'],
  ['Kuru ciltler için uygun mu?', 'Çok kuru ciltlere önermiyoruz.'],
  ['Does it contain retinol?', 'Do not use together with retinol.'],
  ['Does it contain retinol?', 'Use with retinol at night.'],
  ['Is it blue?', 'The blue box protects it.'],
  ['Is it loud?', 'A quiet motor.'],
  ['Does it slip?', 'Rubber feet keep it from slipping.'],
  ['Is it vegan?', 'The strap is vegan, the case is not.'],
  ['Does it get hot?', 'The handle does not get hot.'],
  ['Is it waterproof?', 'Only the lid is waterproof.'],
  ['Yıkanır mı?', 'Çamaşır suyu ile yıkanmaz.'],
  ['Bebekler için uygun mu?', 'Bebek odaları için uygundur.'],
  ['Parfüm içeriyor mu?', 'Parfüm vardır, paraben içermez. Parfüm içermez.'],
  ['Is it matte or glossy?', 'A matte finish.'],
  ["Isn't it vegan?", 'It is vegan.'],
  ['Is it waterproof?', 'Su geçirmez kumaştan.'],
  ['Does it contain milk?', 'May contain traces of milk.'],
  ['How is it washed?', 'It is not washable.'],
  ['Can I put it in the oven?', 'Not for the oven of a caravan.'],
  ['Fırına girer mi?', 'Kapağı fırına girmez.'],
  ['Suya dayanıklı mı?', 'Kapağı suya dayanıklıdır.'],
  ['Is it leather?', 'Made of faux leather.'],
  ['Is it cotton?', 'Made of 60% cotton and 40% polyester.'],
  ['Is it made in Italy?', 'Made in Portugal from Italian leather.'],
  ['Do you have it in white?', 'Comes in white and blue boxes.'],
  ['Does it come in black?', 'Comes in black only in size L.'],
  ['Does it have a cable?', 'Charges via cable.'],
  ['Kablosu var mı?', 'Kablo ile şarj edilir.'],
  ['Is it plastic free?', 'Plastic-free packaging.'],
  ['Is it gluten free?', 'Made with gluten-free oats and honey.'],
  ['Is there a warranty?', 'Two-year warranty on the frame.'],
  ['Does it work with Android?', 'It does not work without Android.'],
  ['Can I use it outdoors?', 'Suitable for indoor use, not outdoor use.'],
  ['İndüksiyonda olur mu?', 'İndüksiyon dışında her ocakta kullanılır.'],
  ['Is it suitable for babies?', 'Suitable for all ages, excluding babies.'],
])('%s has no yes or no in “%s”', (question, text) => {
  expect(answerTo(question, text)).not.toMatch(/^(?:Yes|No|Evet|Hayır)\./)
})

test('every part of a message has its own yes or no', () => {
  const text = 'It is vegan. It does not contain perfume.'
  expect(answerTo('Is it vegan? Does it contain perfume?', text)).toBe(
    'Yes. Thing 12: “It is vegan.” No. “It does not contain perfume.”',
  )
})

test('a tag and the stock say yes and no, too', () => {
  expect(answerTo('Is it vegan?', 'A mug.', ['Vegan'])).toBe('Yes. Thing 12: Tags: Vegan.')
  expect(answerTo('Is it in stock?', 'A mug.')).toBe('Yes. Thing 12: In stock.')
})

// Read in every way that there is, each of these would take years.
test.each([
  ['Does it contain latex?', 'Latex', 'no ', 'or '],
  ['Is it safe for babies?', 'Babies', 'not suitable for ', 'or '],
  ['Can I use it outdoors?', 'Outdoors', 'do not use on ', 'and '],
  ['Is it vegan?', 'Vegan food', 'it ', 'and '],
  ['Is it vegan?', 'Vegan food', 'it ', 'it and '],
  ['Lateks içeriyor mu?', 'Lateks', '', 've '],
  ['Lateks içeriyor mu?', 'Lateks', '', 've ya da '],
  ['Bebekler için uygun mu?', 'Bebekler', '', 'veya '],
  ['Gözü yakar mı?', 'Gözü yakmaz krem', '', 've '],
])('%s is answered from a text of "%s, %s%s…"', (message, about, opening, word) => {
  const description = `${about}, ${opening}${word.repeat(Math.floor(500 / word.length))} x.`
  expect(answerTo(message, description)).not.toBe('')
})
