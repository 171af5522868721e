import { describe, expect, test } from 'vitest'
import {
  isImitatingDomain,
  isImitation,
  isMisleading,
} from '../../src/domain/site/misleading_names.ts'

const namesIn = (names: string) => names.trim().split(/\s+/)

describe('a subdomain', () => {
  test.each(
    namesIn(`
      login log-in secure-login signin-secure my-account-verify ver1fy-me my-bank giris-sayfasi
      giris-yap oturum-ac securelogin hesabim-giris hsbc-login chase-login account-recovery
      reset-password webmail-login sso-login sifre-dogrulama guvenli-giris uye-girisi
      my-l0gin-page abc-bankacilik
    `),
  )('is looked at as a place to sign in: %s', (name) => expect(isMisleading(name)).toBe(true))

  test.each(
    namesIn(`
      online-odeme odeme-sayfasi fatura-odeme secure-payment pay-now wallet my-wallet
      wallet-support update-payment checkout billing-login kart-odeme
    `),
  )('is looked at as a place to pay: %s', (name) => expect(isMisleading(name)).toBe(true))

  test.each(
    namesIn(`
      paypal-login paypa1 pay-pal paypal24 mypaypal b1nance g00gle g00gle-shop goog1e arnazon
      vvhatsapp lnstagram netfl1x-uyelik micr0soft-365 face-book instagram-onay apple apple-id
      amaz0n-iade amazon-prime-login ups-takip dhl-kargo ziraat-giris ziraat-giris-24
      garanti-bonus garantibbva akbank-mobil isbankasi-kampanya halkbankgiris e-devlet-kapisi
      trendyol-resmi sahibinden-guvenli-odeme
    `),
  )('is looked at as a company: %s', (name) => expect(isMisleading(name)).toBe(true))

  test.each(
    namesIn(`
      rose-balm pineapple-soap river-bankside visage shop-1923 loginova-art push-ups start-ups
      ups-and-downs teacups the-wallet-shop leather-wallets bank-of-plants food-bank seed-bank
      secure-shop secure-baby-gates the-security-shop home-security account-books accountant-mugs
      authentic-tea password-notebooks verified-vintage official-merch pay-palace pay-day-cakes
      paper-checkout-bags invoice-books apple-tree-soaps green-apple-candles amazon-parrots
      amazonsoap stripe-shirts striped-socks outlook-farm telegram-posters revolution-skin
      taxi-cloud king-mail-armour microfiber-towels design-inn signature-scents vitrine-de-lea
    `),
  )('in English is not looked at: %s', (name) => expect(isMisleading(name)).toBe(false))

  test.each(
    namesIn(`
      gul-kozmetik ziraat-bahce ziraat-market ziraat-aletleri garanti-bilgisayar garantili-tamir
      amazon-cay-evi giris-kapilari bahce-girisi ana-giris-hali guvenlik-sistemleri guvenli-bebek
      kasa-sifre sifreli-kilit odeme-defteri cuzdan-dunyasi hesap-makinesi banka-kahve
      visa-danismanlik sahibinden-ev migros-toys kargo-kutulari hediye-karti puan-takip taki-puan
      uyelik-kutusu destek-yastik
    `),
  )('in Turkish is not looked at: %s', (name) => expect(isMisleading(name)).toBe(false))
})

describe('what a shop calls itself', () => {
  test.each([
    'PayPal Login',
    'PAYPAL',
    'Pay-Pal Support',
    'PayPa1 Güvenlik',
    'РаyРаl',
    'İş Bankası Giriş',
    'Ziraat Bankası',
    'Trendyol Resmî Destek',
    'Apple Store',
    'ＡＭＡＺＯＮ.com',
    'PayPaI',
    'GoogIe Support',
    'Netflıx',
    'МICROSОFТ',
    'ΑΜΑΖΟΝ',
    'PayPał',
    'Arnazon',
    'VVhatsApp',
    'Akbank T.A.Ş.',
    'Garanti Bankası A.Ş.',
    'PayPal Inc.',
    'P@yPal',
    'PTT Kargo',
    'Papara Destek',
    'n11.com',
    'DHL Express',
    'PayPal Müşteri Hizmetleri',
    'Ziraat İnternet Bankacılığı',
    'Sign in to PayPal',
    'Pay with PayPal',
    'PayPal: Log in to your account',
    'PayPal – Secure Login Area of Rose Balm',
    'lnstagram Destek',
    'ᴘᴀʏᴘᴀʟ',
    'ⓟⓐⓨⓟⓐⓛ Log in',
    '🅿️🅰️🆈🅿️🅰️🅻',
    '🄿🄰🅈🄿🄰🄻',
    '🅟🅐🅨🅟🅐🅛',
    '🇵 🇦 🇾 🇵 🇦 🇱',
    '𝗣𝗮𝘆𝗣𝗮𝗹',
    'ᴵⁿˢᵗᵃᵍʳᵃᵐ',
    'Pay\u200BPal Log\u00ADin',
    'Pay\u2060P\uFE0Fal\u180E',
    'Lo\u200Bg\u200Din: the Netflix of soaps',
    'ԝhatsapp',
  ])('passes for a company: %s', (name) => expect(isImitation(name)).toBe(true))

  test.each([
    'Gül Kozmetik',
    'Ziraat Bahçe',
    'Garanti Bilgisayar',
    'Amazon Çay Evi',
    'Apple Tree Soaps',
    'Visa Danışmanlık',
    'Pay Palace',
    'G Mall',
    'Garnet Taş',
    'Coups',
    'Güvenlik',
    'The Wallet Shop',
    'Online Mağaza',
    '宝石店',
    'login'.repeat(16),
    'Login',
    'We accept PayPal',
    'Follow us on Instagram',
    'Designing Instagram posts',
    'WhatsApp sipariş hattı',
    'Giriş kapıları, 2 yıl garanti',
    'Roses 🇹🇷 🅰️',
  ])('passes for none: %s', (name) => expect(isImitation(name)).toBe(false))
})

describe('a domain of a shop', () => {
  test.each([
    'paypal-login.com',
    'www.trendyolgiris.net',
    'login.paypal.rose.example',
    'xn--ypal-43d9g.com',
    'ziraat-bankasi.com.tr',
  ])('passes for a company: %s', (name) => expect(isImitatingDomain(name)).toBe(true))

  test.each([
    'www.rose-balm.example',
    'login.rose-balm.example',
    'amazonsoap.com',
    'ziraatmarket.com.tr',
    'xn--gl-kozmetik-thb.com',
    'rose.paypal',
  ])('passes for none: %s', (name) => expect(isImitatingDomain(name)).toBe(false))
})
