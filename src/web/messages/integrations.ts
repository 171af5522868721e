import type { Schemas } from '../api.ts'
import type { Catalogue, Message } from '../language.ts'

/** API keys and the agents that have been allowed in. */
export const integrations = {
  title: ['Integrations', 'Entegrasyonlar'],
  about: [
    'Keys for your own programs and agents you have allowed. They act for your account in every workspace you own.',
    'Kendi programlarınız için anahtarlar ve izin verdiğiniz ajanlar. Sahip olduğunuz her çalışma alanında hesabınız adına çalışırlar.',
  ],
  keys: ['API keys', 'API anahtarları'],
  noKeys: ['No keys yet.', 'Henüz anahtar yok.'],
  newKey: ['New key', 'Yeni anahtar'],
  createKey: ['Create key', 'Anahtarı oluştur'],
  firstKeyName: ['My first key', 'İlk anahtarım'],
  name: ['Name', 'Ad'],
  nameHint: ['The program that will use it.', 'Onu kullanacak program.'],
  expiresIn: ['Valid for', 'Geçerlilik'],
  days: ['one day|{count} days', '{count} gün'],
  may: ['It may', 'Şunları yapabilir'],
  presetRead: ['Read everything', 'Her şeyi oku'],
  presetAll: ['Everything', 'Her şey'],
  presetShop: ['A shop’s site', 'Bir mağaza sitesi'],
  presetNone: ['Nothing', 'Hiçbir şey'],
  shownOnce: ['Copy your key now', 'Anahtarınızı şimdi kopyalayın'],
  shownOnceHint: [
    'It is shown this once. Keep it on a server, never in a page, an app or a repository.',
    'Yalnızca bu kez gösterilir. Bir sunucuda saklayın; asla bir sayfada, uygulamada ya da depoda değil.',
  ],
  copyKey: ['Copy key', 'Anahtarı kopyala'],
  tryIt: ['Make a first call', 'İlk çağrıyı yap'],
  tryItHint: ['Or from a terminal:', 'Ya da bir uçbirimden:'],
  answered: ['The API answered {status}:', 'API {status} yanıtını verdi:'],
  done: ['I have copied it', 'Kopyaladım'],
  permissions: ['one permission|{count} permissions', '{count} izin'],
  ended: [
    'one revoked or expired|{count} revoked or expired',
    'İptal edilmiş ya da süresi dolmuş {count}',
  ],
  expires: ['Expires', 'Bitiş'],
  lastUsed: ['Last used', 'Son kullanım'],
  state: ['State', 'Durum'],
  'state.ACTIVE': ['Active', 'Etkin'],
  'state.EXPIRED': ['Expired', 'Süresi doldu'],
  'state.REVOKED': ['Revoked', 'İptal edildi'],
  revoke: ['Revoke', 'İptal et'],
  revokeNamed: ['Revoke {name}', '{name} iptal et'],
  revokeKeyHint: [
    'Whatever uses this key stops working with its next call. This cannot be undone.',
    'Bu anahtarı kullanan her şey bir sonraki çağrıda durur. Geri alınamaz.',
  ],
  revoked: ['{name} was revoked.', '{name} iptal edildi.'],
  connections: ['Connected agents', 'Bağlı ajanlar'],
  noConnections: [
    'No agent is connected. Give one the address {url} and it will ask you here.',
    'Bağlı ajan yok. Birine {url} adresini verin, izni burada sorar.',
  ],
  agent: ['Agent', 'Ajan'],
  revokeAgentHint: [
    'The agent loses access with its next call and has to ask you again.',
    'Ajan bir sonraki çağrıda erişimini yitirir ve size yeniden sormak zorunda kalır.',
  ],
  'group.account': ['Account and workspaces', 'Hesap ve çalışma alanları'],
  'group.catalogue': ['Catalogue', 'Katalog'],
  'group.site': ['Website', 'Site'],
  'group.visitors': ['Visitors and AI', 'Ziyaretçiler ve yapay zekâ'],
} as const satisfies Catalogue

/** What each permission means; one that the contract adds does not compile until it is here. */
export const scopeSentences: Record<Schemas['Scope'], Message> = {
  'account:read': [
    'See your name, email address, phone and language',
    'Adınızı, e-posta adresinizi, telefonunuzu ve dilinizi görür',
  ],
  'workspaces:read': ['List the workspaces you own', 'Sahip olduğunuz çalışma alanlarını listeler'],
  'workspaces:write': ['Create workspaces in your name', 'Sizin adınıza çalışma alanı oluşturur'],
  'workspace:read': [
    'See workspace profiles, settings, feedback, usage and wallets',
    'Profilleri, ayarları, geri bildirimi, kullanımı ve cüzdanları görür',
  ],
  'workspace:write': [
    'Change workspace profiles and AI settings',
    'Profilleri ve yapay zekâ ayarlarını değiştirir',
  ],
  'website:read': [
    'See website configurations and templates',
    'Site ayarlarını ve şablonları görür',
  ],
  'website:write': [
    'Change website configurations and who may visit',
    'Site ayarlarını ve kimlerin gezebileceğini değiştirir',
  ],
  'products:read': [
    'See products, inactive ones too, and their questions',
    'Ürünleri, etkin olmayanları da, ve sorularını görür',
  ],
  'products:write': [
    'Create, change and delete products and their questions',
    'Ürünleri ve sorularını oluşturur, değiştirir, siler',
  ],
  'collections:read': [
    'See collections and the products in them',
    'Koleksiyonları ve içlerindeki ürünleri görür',
  ],
  'collections:write': [
    'Create, change and delete collections',
    'Koleksiyonları oluşturur, değiştirir, siler',
  ],
  'tags:read': ['See tags', 'Etiketleri görür'],
  'tags:write': [
    'Create, rename and delete tags',
    'Etiketleri oluşturur, yeniden adlandırır, siler',
  ],
  'media:read': ['See the media library', 'Medya kitaplığını görür'],
  'media:write': ['Upload, replace and delete pictures', 'Görsel yükler, değiştirir, siler'],
  'storefront:read': [
    'Read the published catalogue for visitors',
    'Yayımlanan kataloğu ziyaretçiler için okur',
  ],
  'visitors:read': [
    'See the session and profile of a signed-in visitor',
    'Giriş yapmış ziyaretçinin oturum ve profilini görür',
  ],
  'visitors:write': [
    'Sign visitors in and out and record what they do',
    'Ziyaretçilere giriş ve çıkış yaptırır, yaptıklarını kaydeder',
  ],
  'ai:write': [
    'Start AI chats for visitors, which costs credits',
    'Ziyaretçiler için kredi harcayan yapay zekâ sohbetleri başlatır',
  ],
}
