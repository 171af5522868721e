import type { Schemas } from '../api.ts'
import type { Catalogue, Message } from '../language.ts'

export const usage = {
  title: ['Usage', 'Kullanım'],
  about: [
    'Who did what, and what it cost. Days are UTC days.',
    'Kim ne yaptı ve kaça mal oldu. Günler UTC günleridir.',
  ],
  from: ['From', 'Başlangıç'],
  to: ['To', 'Bitiş'],
  lastDays: ['{count} days', '{count} gün'],
  lastDaysLong: ['The last {count} days', 'Son {count} gün'],
  events: ['Events', 'Olaylar'],
  requests: ['AI answers', 'Yapay zekâ yanıtları'],
  credits: ['Credits used', 'Kullanılan kredi'],
  by: ['Count by', 'Şuna göre say'],
  byActor: ['By actor', 'Kişiye göre'],
  byEvent: ['By operation', 'İşleme göre'],
  metric: ['Show', 'Göster'],
  overTime: ['Over time', 'Zaman içinde'],
  numbers: ['The numbers', 'Sayılar'],
  day: ['Day', 'Gün'],
  total: ['Total', 'Toplam'],
  nothing: ['Nothing was done in these days', 'Bu günlerde bir şey yapılmadı'],
  nothingHint: ['Choose other days.', 'Başka günler seçin.'],
  chart: [
    '{metric} a day from {from} to {to}; the numbers stand in the table below.',
    '{from} ile {to} arasında günlük {metric}; sayılar aşağıdaki tabloda.',
  ],
  who: ['Who', 'Kim'],
  name: ['Name', 'Ad'],
  kind: ['Kind', 'Tür'],
  lastUsed: ['Last seen', 'Son görülme'],
  views: ['Product views', 'Ürün görüntüleme'],
  visits: ['Visits', 'Ziyaret'],
  exportCsv: ['Export CSV', 'CSV olarak indir'],
} as const satisfies Catalogue

export const actorNames: Record<Schemas['ActorType'], Message> = {
  OWNER: ['Owners', 'Sahipler'],
  STAFF: ['Staff', 'Personel'],
  CUSTOMER: ['Customers', 'Müşteriler'],
  GUEST: ['Guests', 'Misafirler'],
  API_KEY: ['API keys', 'API anahtarları'],
  AGENT: ['Agents', 'Ajanlar'],
  SYSTEM: ['System', 'Sistem'],
}

export const eventNames: Record<Schemas['UsageEventName'], Message> = {
  'chat.product': ['Product chat', 'Ürün sohbeti'],
  'chat.routine': ['Routine chat', 'Rutin sohbeti'],
  'chat.analyze_face': ['Face analysis', 'Yüz analizi'],
  visit: ['Visit', 'Ziyaret'],
  'page.view': ['Page view', 'Sayfa görüntüleme'],
  'product.view': ['Product view', 'Ürün görüntüleme'],
  'collection.view': ['Collection view', 'Koleksiyon görüntüleme'],
  click: ['Click', 'Tıklama'],
  custom: ['Custom event', 'Özel olay'],
  'feedback.create': ['Feedback', 'Geri bildirim'],
  'customer.sign_in': ['Customer sign-in', 'Müşteri girişi'],
  'management.write': ['Management write', 'Yönetim yazması'],
  'credits.purchase': ['Credits bought', 'Kredi alımı'],
  'credits.refund': ['Credits refunded', 'Kredi iadesi'],
  'credits.adjust': ['Credits adjusted', 'Kredi düzeltmesi'],
}
