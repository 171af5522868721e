import { describe, expect, test } from 'vitest'
import {
  isImitatingDomain,
  isImitation,
  isMisleading,
} from '../../src/domain/site/misleading_names.ts'

describe('a name of a shop', () => {
  test.each([
    'paypal-login',
    'paypa1',
    'b1nance',
    'ver1fy-me',
    'pay-pal',
    'g00gle-shop',
    'my-bank',
    'log-in',
    'secure-shop',
    'giris-sayfasi',
    'trendyol-resmi',
    'apple',
  ])('is looked at: %s', (name) => expect(isMisleading(name)).toBe(true))

  test.each([
    'gul-kozmetik',
    'pineapple-soap',
    'rose-balm',
    'river-bankside',
    'visage',
    'shop-1923',
    'loginova-art',
  ])('is not looked at: %s', (name) => expect(isMisleading(name)).toBe(false))
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
