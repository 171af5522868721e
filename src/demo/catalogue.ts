import { exampleOf } from '../core/examples.ts'
import { slugOf } from '../core/text.ts'
import type { components } from '../generated/types.ts'
import { type PackageForm, kinds, type TagName } from './kinds.ts'
import type { DemoProduct } from './demo_product.ts'
import { products } from './products.ts'

type Schemas = components['schemas']

export function formOf({ kind, form }: DemoProduct): PackageForm {
  return form ?? kinds[kind][0]
}

/** The product's values, without images and tags, which have no ids yet. */
export function productValues(
  product: DemoProduct,
): Omit<Schemas['ProductUpdate'], 'imageIds' | 'tagIds'> {
  const { sku, name, brand, stock, kind, text, ingredients, status = 'ACTIVE' } = product
  const [, turkish, english] = kinds[kind]
  const barcode = barcodeOf(product)
  return {
    ...exampleOf('ProductUpdate'),
    name,
    brand,
    sku,
    barcode,
    stock,
    status,
    description: text,
    information: [
      `İçindekiler / Ingredients: ${ingredients}`,
      `Kullanım / How to use: ${turkish} ${english}`,
      'Saklama / Storage: Serin ve kuru yerde saklayın. Keep in a cool, dry place.',
      'Menşei / Origin: Türkiye',
    ].join('\n'),
    sales: salesOf(product, barcode),
  }
}

/** A barcode in the Turkish range: brand number, product number, check digit. */
function barcodeOf(product: DemoProduct): string {
  const brands = [...new Set(products.map(({ brand }) => brand))]
  const brand = String(brands.indexOf(product.brand) + 1).padStart(2, '0')
  const item = String(products.indexOf(product) * 17 + 101).padStart(5, '0')
  const digits = `86900${brand}${item}`
  const sum = [...digits].reduce((total, digit, at) => total + Number(digit) * (at % 2 ? 3 : 1), 0)
  return `${digits}${(10 - (sum % 10)) % 10}`
}

/** Own shop and marketplace. Discontinued products have no link; sets are sold only in the shop. */
function salesOf({ name, kind, status }: DemoProduct, barcode: string): Schemas['SalesEntry'][] {
  if (status === 'DELETED') return []
  const shop = {
    name: 'Gül Kozmetik',
    link: `https://gul-kozmetik.example/${slugOf(name, 'urun')}`,
  }
  const market = { name: 'Pazaryeri', link: `https://pazaryeri.example/p/${barcode}` }
  return kind === 'set' ? [shop] : [shop, market]
}

interface DemoCollection {
  name: string
  description: string
  tags: TagName[]
  hue: number
  /** SKUs, in order. */
  holds: string[]
}

const all = (matches: (product: DemoProduct) => boolean) => products.filter(matches).map(skuOf)
const skuOf = ({ sku }: DemoProduct) => sku

/** Oldest first; lists show the last one at the top. */
export const collections: DemoCollection[] = [
  {
    name: 'Hediye Setleri',
    description: 'Sevdikleriniz için hazır kutular. Boxes that are ready to be given.',
    tags: ['Hediye'],
    hue: 20,
    holds: all(({ kind }) => kind === 'set'),
  },
  {
    name: 'Makyaj',
    description: 'Günlük ve akşam makyajı. Make-up for the day and the evening.',
    tags: ['Vegan', 'Yeni'],
    hue: 352,
    holds: all(({ kind }) => ['lipstick', 'powder', 'mascara', 'foundation'].includes(kind)),
  },
  {
    name: 'Saç Bakımı',
    description: 'Şampuandan toniğe, bitkilerle saç bakımı. Hair care from plants.',
    tags: ['Doğal içerik'],
    hue: 115,
    holds: all(({ kind }) => /hair|shampoo|conditioner/.test(kind)),
  },
  {
    name: 'Güneş ve Vücut',
    description: 'Plajdan hamama vücut bakımı. Body care from the beach to the hammam.',
    tags: ['Güneş koruması', 'Nemlendirici'],
    hue: 45,
    holds: [
      'DD-SPF-050',
      'DD-SPR-150',
      'MV-ALO-200',
      'EZ-VUC-250',
      'EZ-SBN-100',
      'AD-SBN-120',
      'MV-DUS-300',
      'MV-ELK-075',
      'NC-PEL-200',
    ],
  },
  {
    name: 'Hassas Ciltler İçin',
    description: 'Parfümsüz, yatıştırıcı formüller. Calming formulas without perfume.',
    tags: ['Hassas cilt', 'Parfümsüz'],
    hue: 200,
    holds: all(({ tags }) => tags.includes('Hassas cilt')),
  },
  {
    name: 'Gül Serisi',
    description: "Isparta'nın pembe gülünden. From the pink rose of Isparta.",
    tags: ['Çok satan', 'Yerli üretim'],
    hue: 345,
    holds: [
      'GE-TON-200',
      'GE-KRM-050',
      'GE-SRM-030',
      'GE-MSK-075',
      'GE-DDK-010',
      'GE-SET-003',
      'GE-SET-010',
      'NC-RUJ-102',
    ],
  },
]

export const questionLibrary = [
  'Bu ürün hassas cilde uygun mu?',
  'Günde kaç kez kullanmalıyım?',
  'Hamilelikte kullanılabilir mi?',
  'Which skin type is it made for?',
  'Is it vegan and free of perfume?',
  'What can I combine it with?',
  'How long does it keep after opening?',
]

/** Product questions by SKU. */
export const productQuestions: Record<string, string[]> = {
  'GE-TON-200': [
    'Gül suyu tonik yerine geçer mi?',
    'Makyaj üzerine sıkabilir miyim?',
    'Is this distilled or perfumed water?',
  ],
  'DD-SPF-050': [
    'Makyaj altına uygun mu?',
    'Denize girdikten sonra yenilemeli miyim?',
    'Does it leave a white cast?',
    'Can children use it?',
  ],
  'DD-NIA-030': ['C vitamini ile birlikte kullanılır mı?', 'When will I see a difference?'],
  'NC-RUJ-101': ['Ne kadar kalıcı?', 'Which skin tones does this red suit?', 'Is it vegan?'],
  'GE-SET-003': ['Hediye paketi yapıyor musunuz?', 'Can I add a note to the box?'],
}

export const website = {
  headline: 'The care of roses, the glow of your skin',
  tagline: 'Skin care from the roses of Isparta',
  about:
    'Since 1998 we have brought together the care products of small makers from all over Türkiye: ' +
    'rose growers of Isparta, soap makers of the Aegean, and those who still distil in copper.',
  contactEmail: 'merhaba@gul-kozmetik.example',
  socialLinks: ['https://social.example/gulkozmetik'],
  seo: {
    title: 'Gül Kozmetik | Natural skin care',
    description: 'Rose water, olive soap, sun care and make-up from small Turkish makers.',
  },
}
