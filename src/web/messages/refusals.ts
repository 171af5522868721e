import type { Schemas } from '../api.ts'

/** What a refusal is in Turkish, by its code. In English the service's own words are the best. */
export const turkishRefusals: Partial<Record<Schemas['ErrorCode'], string>> = {
  invalid_input: 'İstek geçerli değil.',
  subdomain_unavailable: 'Bu alt alan adı kullanılamıyor.',
  subdomain_cooldown: 'Alt alan adı 30 günde bir değiştirilebilir.',
  workspace_limit_reached: 'Bu hesap daha fazla çalışma alanına sahip olamaz.',
  unknown_template: 'Böyle bir şablon yok.',
  code_invalid: 'Kod yanlış, süresi dolmuş ya da kullanılmış.',
  insufficient_credits: 'Cüzdandaki kredi bunun için yetmiyor.',
  wallet_in_debt: 'Cüzdan borçta. Yapay zekâyı yeniden kullanmak için kredi alın.',
  account_inactive: 'Bu hesap askıya alınmış.',
  workspace_inactive: 'Bu çalışma alanı askıya alınmış.',
  not_owner: 'Bu çalışma alanının etkin bir sahibi değilsiniz.',
  source_blocked: 'Bir yönetici bu entegrasyonu engelledi.',
  access_restricted: 'Bu site ziyaretçilere açık değil.',
  sign_in_required: 'Bu site yalnızca giriş yapmış müşterilere yanıt verir.',
  challenge_required: 'Önce bot denetiminin çözülmesi gerekiyor.',
  challenge_failed: 'Bot denetiminin yanıtı geçerli değil.',
  ai_mode_disabled: 'Bu yanıt türü bu çalışma alanında kapalı.',
  not_found: 'Böyle bir şey yok ya da silinmiş.',
  duplicate: 'Bu zaten var.',
  last_owner: 'Bu, son etkin sahip. Önce başka birini sahip yapın.',
  payload_too_large: 'Dosya ya da metin izin verilenden büyük.',
  unsupported_media_type: 'Bu dosya türü kabul edilmiyor.',
  quota_exceeded: 'Bugünkü soru hakkının hepsi kullanıldı.',
}

/**
 * What the service says about a field, in Turkish. A sentence that is not here, because it is new or
 * rare, stays as the service said it.
 */
const turkishSentences: readonly (readonly [english: RegExp, turkish: string])[] = [
  [/^Is required\.$/, 'Zorunlu.'],
  [/^Must not be empty\.$/, 'Boş bırakılamaz.'],
  [/^Must have at least (\d+) characters\.$/, 'En az $1 karakter olmalı.'],
  [/^Must have at most (\d+) characters\.$/, 'En çok $1 karakter olabilir.'],
  [/^Must have at least (\d+) items?\.$/, 'En az $1 tane olmalı.'],
  [/^Must have at most (\d+) items\.$/, 'En çok $1 tane olabilir.'],
  [/^Must not contain the same item twice\.$/, 'Aynı şey iki kez olamaz.'],
  [/^Is given more than once\.$/, 'Birden çok kez verilmiş.'],
  [/^Must be at least (-?[\d.]+)\.$/, 'En az $1 olmalı.'],
  [/^Must be at most (-?[\d.]+)\.$/, 'En çok $1 olabilir.'],
  [/^Must be a whole number( or null)?\.$/, 'Tam sayı olmalı.'],
  [/^Must be a number( or null)?\.$/, 'Sayı olmalı.'],
  [/^Must be an email address\.$/, 'Bir e-posta adresi olmalı.'],
  [/^This is not a valid email address\.$/, 'Geçerli bir e-posta adresi değil.'],
  [
    /^An email address with a plus sign is not accepted\.$/,
    'Artı işareti olan e-posta adresi kabul edilmiyor.',
  ],
  [
    /^Addresses of disposable email services are not accepted\.$/,
    'Tek kullanımlık e-posta hizmetlerinin adresleri kabul edilmiyor.',
  ],
  [/^Another account uses this address\.$/, 'Bu adresi başka bir hesap kullanıyor.'],
  [/^Another product has this name\.$/, 'Başka bir ürünün adı bu.'],
  [/^Another product has this SKU\.$/, 'Başka bir ürünün SKU’su bu.'],
  [/^Another product has this barcode\.$/, 'Başka bir ürünün barkodu bu.'],
  [/^This address is a member or invited already\.$/, 'Bu adres zaten üye ya da davetli.'],
  [/^This person is a member already\.$/, 'Bu kişi zaten üye.'],
  [/^The invitation has not been accepted yet\.$/, 'Davet henüz kabul edilmedi.'],
  [/^The code is wrong, expired or used\.$/, 'Kod yanlış, süresi dolmuş ya da kullanılmış.'],
  [/^Send the code that was mailed to the new address\.$/, 'Yeni adrese gönderilen kodu yazın.'],
  [/^The subdomain (\S+) is not available\.$/, '$1 alt alan adı kullanılamıyor.'],
  [
    /^The subdomain can change once in (\d+) days, next on (\S+)T\S+\.$/,
    'Alt alan adı $1 günde bir değişebilir; bir sonraki: $2.',
  ],
  [/^The .+ template needs a phone number\.$/, 'Bu şablon için telefon numarası gerekli.'],
  [/^A (?:product|collection) has at most (\d+) tags\.$/, 'En çok $1 etiket olabilir.'],
  [/^Contains a character that cannot be stored\.$/, 'Saklanamayan bir karakter içeriyor.'],
  [/^Must not be after the last date, (\S+)\.$/, 'Bitiş günü $1 sonrasında olamaz.'],
  [/^Must be within the (\d+) days that end with (\S+)\.$/, '$2 ile biten $1 gün içinde olmalı.'],
  [/^Is damaged or cut off\.$/, 'Dosya bozuk ya da eksik.'],
  [/^Is not the image that its first bytes promise\.$/, 'Dosya bozuk ya da eksik.'],
  [
    /^Is (?:none of|not a) JPEG, PNG, WebP, GIF (?:and|or) AVIF.*\.$/,
    'JPEG, PNG, WebP, GIF ya da AVIF görseli değil.',
  ],
  [/^Is stated as (\S+) and is (\S+)\.$/, '$1 olarak gönderildi ama $2.'],
  [/^Has more than (\d+) megapixels, all frames counted\.$/, '$1 megapikselden büyük.'],
  [
    /^Does not have the right form\. An? https? .*$/,
    'http ya da https ile başlayan bir adres olmalı.',
  ],
  [/^Does not have the right form\. .*E\.164.*$/, 'Ülke koduyla yazın, +905551234567 gibi.'],
  [/^Does not have the right form\. The six digits.*$/, 'Gönderilen altı rakamı yazın.'],
  [/^Does not have the right form\. 1 to 4 digits.*$/, '1–4 rakam olmalı.'],
  [
    /^Does not have the right form\. 3 to 32 lower-case.*$/,
    '3–32 küçük harf, rakam ve kısa çizgi; başta ve sonda kısa çizgi olmaz.',
  ],
  [/^Does not have the right form\. No control characters\.$/, 'Denetim karakteri içeremez.'],
  [/^Does not have the right form\.$/, 'Biçimi doğru değil.'],
]

export function turkishSentence(english: string): string {
  const known = turkishSentences.find(([pattern]) => pattern.test(english))
  return known ? english.replace(...known) : english
}
