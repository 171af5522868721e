import type { components } from '../../generated/types.ts'
import type { Card } from '../../queries/site/shop_windows.ts'
import type { Shop } from '../shop.ts'

/* What machines read of a page, in the words of schema.org. No offers: a product has no price here. */

const context = 'https://schema.org'

export function organizationFacts({ name, url, logo, website }: Shop): object {
  const { contactEmail, socialLinks } = website
  return {
    '@context': context,
    '@type': 'Organization',
    name,
    url: `${url}/`,
    ...(logo && { logo }),
    ...(contactEmail !== null && { email: contactEmail }),
    ...(socialLinks.length > 0 && { sameAs: socialLinks }),
  }
}

/** Questions with the shop's own answers. */
export function faqFacts({ knowledge }: Shop): object {
  return {
    '@context': context,
    '@type': 'FAQPage',
    mainEntity: knowledge.map(({ question, answer }) => ({
      '@type': 'Question',
      name: question,
      acceptedAnswer: { '@type': 'Answer', text: answer },
    })),
  }
}

/** Where a page stands: the home page first, the page itself last. */
export function pathFacts({ url, t }: Shop, links: [path: string, name: string][]): object {
  return {
    '@context': context,
    '@type': 'BreadcrumbList',
    itemListElement: [['/', t('home')] as const, ...links].map(([path, name], index) => ({
      '@type': 'ListItem',
      position: index + 1,
      name,
      item: url + path,
    })),
  }
}

export function listFacts({ url }: Shop, cards: Card[]): object {
  return {
    '@context': context,
    '@type': 'ItemList',
    itemListElement: cards.map(({ slug, name }, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      name,
      url: `${url}/p/${slug}`,
    })),
  }
}

export function productFacts(
  { url }: Shop,
  product: components['schemas']['Product'],
  description: string,
): object {
  const { slug, name, brand, sku, barcode, images } = product
  return {
    '@context': context,
    '@type': 'Product',
    '@id': `${url}/p/${slug}`,
    url: `${url}/p/${slug}`,
    name,
    ...(description !== '' && { description }),
    ...(images.length > 0 && { image: images.map((image) => image.url) }),
    ...(brand !== '' && { brand: { '@type': 'Brand', name: brand } }),
    ...(sku !== '' && { sku }),
    ...(isGtin(barcode) && { gtin: barcode }),
  }
}

/** Whether a barcode is a trade item number: 8, 12, 13 or 14 digits with the right check digit. */
export function isGtin(barcode: string): boolean {
  if (!/^(\d{8}|\d{12,14})$/.test(barcode)) return false
  const digits = [...barcode].map(Number).reverse()
  const sum = digits.reduce((total, digit, index) => total + digit * (index % 2 === 0 ? 1 : 3), 0)
  return sum % 10 === 0
}
