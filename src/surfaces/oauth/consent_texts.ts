import type { Scope } from '../../generated/operations.ts'
import type { PageText } from '../pages/page_texts.ts'

/** What the pages say on which a person signs in for an agent and decides about it. */
export const consentTexts = {
  signIn: ['Sign in to connect an agent', 'Ajan bağlamak için giriş yapın'],
  signInHint: [
    'An agent asks for access to your account. We mail you a code to sign in.',
    'Bir ajan hesabınıza erişmek istiyor. Giriş için size bir kod göndeririz.',
  ],
  email: ['Email address', 'E-posta adresi'],
  sendCode: ['Send me a code', 'Bana kod gönder'],
  provider: ['Sign in with your provider instead', 'Bunun yerine sağlayıcınızla girin'],
  codeSent: ['We have sent six digits to', 'Altı rakamı şu adrese gönderdik:'],
  code: ['Code', 'Kod'],
  codeInvalid: [
    'The code is wrong, expired or used.',
    'Kod yanlış, süresi dolmuş ya da kullanılmış.',
  ],
  tooMany: [
    'Too many attempts. Wait {seconds} seconds.',
    'Çok fazla deneme. {seconds} saniye bekleyin.',
  ],
  enter: ['Sign in', 'Giriş yap'],
  otherAddress: ['Use another address', 'Başka bir adres kullan'],

  asks: ['{name} asks for access', '{name} erişim istiyor'],
  actsFor: [
    'It wants to act for your account in every workspace you own, for 90 days or until you revoke it.',
    'Sahip olduğunuz her çalışma alanında hesabınız adına, 90 gün ya da siz iptal edene dek iş yapmak istiyor.',
  ],
  callsItself: ['Calls itself', 'Kendine verdiği ad'],
  unchecked: [
    'It chose this name itself. Nobody has checked it.',
    'Bu adı kendisi seçti. Kimse denetlemedi.',
  ],
  knownAs: ['Is known as', 'Tanındığı kimlik'],
  answersAt: ['Gets the answer at', 'Yanıtı aldığı yer'],
  account: ['Your account', 'Hesabınız'],
  loopback: ['This agent runs on your own computer.', 'Bu ajan kendi bilgisayarınızda çalışıyor.'],
  loopbackHint: [
    'Any program there can use this name. Allow it only if you have just started it yourself.',
    'Orada her program bu adı kullanabilir. Yalnızca onu az önce kendiniz başlattıysanız izin verin.',
  ],
  may: ['It may', 'Şunları yapabilir'],
  mayHint: [
    'Untick what it does not need. You can revoke all of it in the dashboard.',
    'Gerekmeyenlerin işaretini kaldırın. Hepsini panodan iptal edebilirsiniz.',
  ],
  changes: ['changes things', 'değiştirir'],
  allow: ['Allow', 'İzin ver'],
  deny: ['Deny', 'Reddet'],
  pickOne: [
    'Tick at least one thing that it may do, or deny it all.',
    'Yapabileceği en az bir şeyi işaretleyin ya da tümünü reddedin.',
  ],
  notYours: ['Not your account?', 'Hesabınız değil mi?'],
  switch: ['Sign in with another one', 'Başka bir hesapla girin'],

  onward: ['Back to the agent', 'Ajana dönülüyor'],
  onwardHint: ['Your answer is on its way to the agent.', 'Yanıtınız ajana gidiyor.'],
  goOn: ['Go on, if nothing happens', 'Bir şey olmazsa sürdürün'],
  refused: ['This agent cannot be connected', 'Bu ajan bağlanamıyor'],
  gone: [
    'This request has expired or is finished. Connect again from the agent.',
    'Bu isteğin süresi doldu ya da bitti. Ajandan yeniden bağlanın.',
  ],
  nothingAllowed: [
    'Nothing was allowed. Go back to the agent and connect again.',
    'Hiçbir şeye izin verilmedi. Ajana dönüp yeniden bağlanın.',
  ],
  otherMethod: ['This page takes GET, HEAD and POST.', 'Bu sayfa GET, HEAD ve POST alır.'],
  otherForm: [
    'This form is not one of this page. Reload it.',
    'Bu form bu sayfanın değil. Sayfayı yeniden yükleyin.',
  ],
} as const satisfies Record<string, PageText>

/** What is wrong with most addresses, in Turkish; anything else is said in the service's own words. */
export const turkishReasons: Partial<Record<string, string>> = {
  'Must be an email address.': 'Bir e-posta adresi girin.',
  'This is not a valid email address.': 'Bu, geçerli bir e-posta adresi değil.',
  'An email address with a plus sign is not accepted.':
    'Artı işareti içeren e-posta adresleri kabul edilmez.',
  'Addresses of disposable email services are not accepted.':
    'Tek kullanımlık e-posta hizmetlerinin adresleri kabul edilmez.',
}

/** The scopes in Turkish; in English the contract itself says what each is. */
export const turkishScopes: Record<Scope, string> = {
  'account:read': 'Adınızı, e-posta adresinizi, telefonunuzu ve dilinizi görmek.',
  'workspaces:read':
    'Sahip olduğunuz çalışma alanlarını ve yenisini açıp açamayacağınızı listelemek.',
  'workspaces:write': 'Sizin adınıza çalışma alanı açmak.',
  'workspace:read':
    'Çalışma alanı profillerini, ayarları, geri bildirimleri, kullanımı ve cüzdanları görmek.',
  'workspace:write': 'Çalışma alanı profillerini ve yapay zekâ ayarlarını değiştirmek.',
  'website:read': 'Site ayarlarını ve şablonları görmek.',
  'website:write': 'Site ayarlarını ve kimlerin girebileceğini değiştirmek.',
  'products:read': 'Etkin olmayanlarla birlikte ürünleri ve sorularını görmek.',
  'products:write': 'Ürün ve soru eklemek, değiştirmek ve kalıcı olarak silmek.',
  'collections:read': 'Koleksiyonları ve içlerindeki ürünleri görmek.',
  'collections:write': 'Koleksiyon eklemek, değiştirmek ve kalıcı olarak silmek.',
  'tags:read': 'Etiketleri görmek.',
  'tags:write': 'Etiket eklemek, adını değiştirmek ve kalıcı olarak silmek.',
  'media:read': 'Medya kitaplığını görmek.',
  'media:write': 'Görsel yüklemek, değiştirmek ve kalıcı olarak silmek.',
  'storefront:read': 'Yayındaki kataloğu ziyaretçiler için okumak.',
  'visitors:read': 'Giriş yapmış ziyaretçinin oturumunu ve profilini görmek.',
  'visitors:write': 'Ziyaretçilerin girişini ve çıkışını yapmak, yaptıklarını kaydetmek.',
  'ai:write': 'Ziyaretçiler için kredi harcayan yapay zekâ sohbetleri başlatmak.',
}
