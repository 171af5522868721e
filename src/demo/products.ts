import type { Form, Kind, TagName } from './kinds.ts'

/** A product of the demo shop as its table states it; the rest follows from its kind. */
export interface DemoProduct {
  sku: string
  name: string
  brand: string
  kind: Kind
  stock: number
  status?: 'INACTIVE' | 'DELETED'
  /** Turkish, then English. */
  text: string
  ingredients: string
  tags: TagName[]
  /** The colour of its picture, as degrees of the colour circle. */
  hue: number
  /** Where the pack is not the usual one of its kind. */
  form?: Form
  /** The SKUs that a set holds; it shows their pictures, too. */
  holds?: string[]
}

const gul = 'Gül Evi'
const ada = 'Ada Defne'
const ege = 'Ege Zeytini'
const mor = 'Mor Vadi'
const derya = 'Derya Dermo'
const nar = 'Nar Çiçeği'

const face: DemoProduct[] = [
  {
    ...{ sku: 'GE-TON-200', name: 'Isparta Gülü Tonik 200 ml', brand: gul, kind: 'toner' },
    ...{ stock: 148, hue: 345, tags: ['Çok satan', 'Vegan', 'Yerli üretim'] },
    text: 'Bakır imbikte damıtılmış gül suyu cildi tazeler. Copper-distilled rose water refreshes the skin.',
    ingredients: 'Rosa Damascena Flower Water, Glycerin, Panthenol, Sodium Benzoate, Citric Acid',
  },
  {
    ...{ sku: 'GE-KRM-050', name: 'Gül Özlü Nemlendirici Krem 50 ml', brand: gul, kind: 'cream' },
    ...{ stock: 86, hue: 350, tags: ['Nemlendirici', 'Kuru cilt', 'Çok satan'] },
    text: 'Kuru ciltler için zengin gündüz kremi. A rich day cream for dry skin.',
    ingredients:
      'Aqua, Rosa Damascena Flower Oil, Butyrospermum Parkii Butter, Squalane, Tocopherol',
  },
  {
    ...{ sku: 'GE-SRM-030', name: 'Gül Yağı Canlandırıcı Serum 30 ml', brand: gul, kind: 'serum' },
    ...{ stock: 41, hue: 338, tags: ['Vegan', 'Doğal içerik', 'Yeni'] },
    text: 'Mat görünen cilde ışıltı verir. Brings back the glow of tired skin.',
    ingredients: 'Rosa Canina Seed Oil, Rosa Damascena Flower Oil, Squalane, Tocopherol',
  },
  {
    ...{ sku: 'GE-MSK-075', name: 'Gül ve Pembe Kil Maskesi 75 ml', brand: gul, kind: 'mask' },
    ...{ stock: 0, hue: 8, tags: ['Vegan', 'Yağlı cilt'] },
    text: 'Gözenekleri kurutmadan arındırır. Clears the pores without drying them out.',
    ingredients:
      'Kaolin, Aqua, Rosa Damascena Flower Water, Glycerin, Montmorillonite, Xanthan Gum',
  },
  {
    ...{ sku: 'GE-DDK-010', name: 'Gül Balmumu Dudak Bakımı 10 g', brand: gul, kind: 'balm' },
    ...{ stock: 230, hue: 355, tags: ['Nemlendirici', 'Doğal içerik', 'Hediye'] },
    text: 'Çatlayan dudaklar için şeffaf bakım. A clear balm for chapped lips.',
    ingredients: 'Cera Alba, Ricinus Communis Seed Oil, Rosa Damascena Flower Oil, Tocopherol',
  },
  {
    ...{ sku: 'DD-TMZ-200', name: 'Hassas Cilt Temizleme Jeli 200 ml', brand: derya, kind: 'wash' },
    ...{ stock: 120, hue: 196, tags: ['Hassas cilt', 'Parfümsüz', 'Çok satan'] },
    text: 'Sabun içermeyen günlük yüz temizleyici. A soap-free face wash for every day.',
    ingredients: 'Aqua, Coco-Glucoside, Glycerin, Panthenol, Allantoin, Lactic Acid',
  },
  {
    ...{ sku: 'DD-NIA-030', name: 'Niasinamid %10 Serum 30 ml', brand: derya, kind: 'serum' },
    ...{ stock: 64, hue: 205, tags: ['Yağlı cilt', 'Parfümsüz', 'Vegan'] },
    text: 'Parlamayı ve gözenek görünümünü dengeler. Balances shine and the look of pores.',
    ingredients: 'Aqua, Niacinamide, Propanediol, Zinc PCA, Sodium Hyaluronate, Phenoxyethanol',
  },
  {
    ...{ sku: 'DD-CVT-030', name: 'C Vitamini Işıltı Serumu 30 ml', brand: derya, kind: 'serum' },
    ...{ stock: 37, hue: 38, tags: ['Yeni', 'Parfümsüz'] },
    text: 'Cilt tonunu eşitlemeye yardımcı olur. Helps to even out the tone of the skin.',
    ingredients: 'Aqua, 3-O-Ethyl Ascorbic Acid, Propanediol, Ferulic Acid, Sodium Hyaluronate',
  },
  {
    ...{ sku: 'DD-HYA-050', name: 'Hyalüronik Su Kremi 50 ml', brand: derya, kind: 'cream' },
    ...{ stock: 92, hue: 190, tags: ['Nemlendirici', 'Hassas cilt', 'Parfümsüz'] },
    text: 'Yağsız, hafif su kremi. A light water cream without oil.',
    ingredients: 'Aqua, Glycerin, Sodium Hyaluronate, Betaine, Ceramide NP, Carbomer',
  },
  {
    ...{ sku: 'DD-GOZ-015', name: 'Kafeinli Göz Çevresi Kremi 15 ml', brand: derya, kind: 'cream' },
    ...{ stock: 0, hue: 178, form: 'tube', tags: ['Hassas cilt', 'Parfümsüz'] },
    text: 'Yorgun göz çevresini canlandırır. Wakes up tired eyes.',
    ingredients: 'Aqua, Caffeine, Glycerin, Squalane, Palmitoyl Tripeptide-5, Tocopherol',
  },
]

const sunAndBody: DemoProduct[] = [
  {
    ...{ sku: 'DD-SPF-050', name: 'Güneş Kremi SPF 50+ 50 ml', brand: derya, kind: 'sun' },
    ...{ stock: 210, hue: 42, tags: ['Güneş koruması', 'Hassas cilt', 'Çok satan'] },
    text: 'Beyaz iz bırakmayan yüz güneş kremi. A face sunscreen that leaves no white trace.',
    ingredients: 'Aqua, Zinc Oxide, Caprylic/Capric Triglyceride, Glycerin, Bisabolol',
  },
  {
    ...{ sku: 'DD-SPR-150', name: 'Çocuk Güneş Spreyi SPF 50+ 150 ml', brand: derya, kind: 'sun' },
    ...{ stock: 75, hue: 50, form: 'pump', tags: ['Güneş koruması', 'Hassas cilt', 'Parfümsüz'] },
    text: 'Suya dayanıklı, göz yakmayan formül. Water resistant and kind to the eyes.',
    ingredients: 'Aqua, Ethylhexyl Triazone, Zinc Oxide, Glycerin, Panthenol, Tocopherol',
  },
  {
    ...{ sku: 'MV-ALO-200', name: 'Güneş Sonrası Aloe Jeli 200 ml', brand: mor, kind: 'lotion' },
    ...{ stock: 58, hue: 140, tags: ['Vegan', 'Doğal içerik', 'Nemlendirici'] },
    text: 'Güneşten yorulan cildi serinletir. Cools the skin after a day in the sun.',
    ingredients: 'Aloe Barbadensis Leaf Juice, Glycerin, Mentha Piperita Water, Xanthan Gum',
  },
  {
    ...{ sku: 'EZ-VUC-250', name: 'Zeytinyağlı Vücut Losyonu 250 ml', brand: ege, kind: 'lotion' },
    ...{ stock: 133, hue: 82, tags: ['Nemlendirici', 'Kuru cilt', 'Yerli üretim'] },
    text: 'Ayvalık zeytinyağı ile yumuşacık cilt. Soft skin with olive oil from Ayvalık.',
    ingredients: 'Aqua, Olea Europaea Fruit Oil, Glycerin, Cetearyl Alcohol, Urea, Tocopherol',
  },
  {
    ...{ sku: 'EZ-SBN-100', name: 'Zeytinyağı Sabunu 100 g', brand: ege, kind: 'soap' },
    ...{ stock: 420, hue: 74, tags: ['Doğal içerik', 'Vegan', 'Çok satan'] },
    text: 'Soğuk yöntemle yapılmış geleneksel sabun. A traditional cold-process soap.',
    ingredients: 'Sodium Olivate, Aqua, Sodium Cocoate, Glycerin, Sodium Chloride',
  },
  {
    ...{ sku: 'AD-SBN-120', name: 'Antakya Defne Sabunu 120 g', brand: ada, kind: 'soap' },
    ...{ stock: 260, hue: 100, tags: ['Doğal içerik', 'Vegan', 'Yerli üretim'] },
    text: 'Defne yağıyla kazanda pişen sabun. Soap boiled in the kettle with laurel oil.',
    ingredients: 'Sodium Olivate, Laurus Nobilis Fruit Oil, Aqua, Sodium Hydroxide',
  },
  {
    ...{ sku: 'MV-DUS-300', name: 'Lavantalı Duş Jeli 300 ml', brand: mor, kind: 'wash' },
    ...{ stock: 97, hue: 268, form: 'bottle', tags: ['Vegan', 'Yerli üretim'] },
    text: 'Kuyucak lavantasıyla dinlendirici duş. A calming shower with Kuyucak lavender.',
    ingredients: 'Aqua, Sodium Coco-Sulfate, Lavandula Angustifolia Oil, Glycerin, Linalool',
  },
  {
    ...{ sku: 'MV-ELK-075', name: 'Lavantalı El Kremi 75 ml', brand: mor, kind: 'hand' },
    ...{ stock: 176, hue: 262, tags: ['Nemlendirici', 'Kuru cilt', 'Hediye'] },
    text: 'Çabuk emilir, yağlı his bırakmaz. Sinks in quickly and leaves no grease.',
    ingredients:
      'Aqua, Glycerin, Butyrospermum Parkii Butter, Lavandula Angustifolia Oil, Linalool',
  },
  {
    ...{
      sku: 'NC-PEL-200',
      name: 'Nar Çekirdekli Vücut Peelingi 200 g',
      brand: nar,
      kind: 'scrub',
    },
    ...{ stock: 49, hue: 356, tags: ['Vegan', 'Doğal içerik'] },
    text: 'Öğütülmüş nar çekirdeğiyle pürüzsüz cilt. Smooth skin with milled pomegranate seed.',
    ingredients: 'Sucrose, Punica Granatum Seed Powder, Helianthus Annuus Seed Oil, Tocopherol',
  },
]

const hair: DemoProduct[] = [
  {
    ...{ sku: 'AD-SMP-400', name: 'Defneli Şampuan 400 ml', brand: ada, kind: 'shampoo' },
    ...{ stock: 154, hue: 112, tags: ['Yerli üretim', 'Doğal içerik'] },
    text: 'Yağlanan saç derisi için ferahlatıcı bakım. Refreshing care for an oily scalp.',
    ingredients: 'Aqua, Sodium Coco-Sulfate, Laurus Nobilis Fruit Oil, Betaine, Citric Acid',
  },
  {
    ...{ sku: 'AD-KRM-400', name: 'Defneli Saç Kremi 400 ml', brand: ada, kind: 'conditioner' },
    ...{ stock: 118, hue: 120, tags: ['Yerli üretim', 'Nemlendirici'] },
    text: 'Kolay tarama ve doğal parlaklık. Easy combing and a natural shine.',
    ingredients: 'Aqua, Cetearyl Alcohol, Behentrimonium Chloride, Laurus Nobilis Fruit Oil',
  },
  {
    ...{
      sku: 'EZ-MSK-300',
      name: 'Zeytinyağlı Onarıcı Saç Maskesi 300 ml',
      brand: ege,
      kind: 'hairmask',
    },
    ...{ stock: 66, hue: 66, tags: ['Doğal içerik', 'Çok satan', 'Nemlendirici'] },
    text: 'Yıpranmış saç uçlarını besler. Feeds the worn ends of the hair.',
    ingredients: 'Aqua, Olea Europaea Fruit Oil, Cetearyl Alcohol, Hydrolyzed Wheat Protein',
  },
  {
    ...{
      sku: 'NC-YAG-100',
      name: 'Argan ve Nar Saç Bakım Yağı 100 ml',
      brand: nar,
      kind: 'hairoil',
    },
    ...{ stock: 83, hue: 22, tags: ['Vegan', 'Yeni'] },
    text: 'Elektriklenmeyi yatıştıran hafif yağ. A light oil that calms frizz.',
    ingredients: 'Argania Spinosa Kernel Oil, Punica Granatum Seed Oil, Tocopherol',
  },
  {
    ...{ sku: 'MV-TON-150', name: 'Biberiye Saç Toniği 150 ml', brand: mor, kind: 'hairtonic' },
    ...{ stock: 0, hue: 155, tags: ['Vegan', 'Doğal içerik', 'Yeni'] },
    text: 'Saç köklerine canlılık veren sprey. A spray that enlivens the roots.',
    ingredients: 'Rosmarinus Officinalis Leaf Water, Caffeine, Panthenol, Glycerin',
  },
  {
    ...{ sku: 'MV-KAT-080', name: 'Lavantalı Katı Şampuan 80 g', brand: mor, kind: 'shampoo' },
    ...{ stock: 72, hue: 275, form: 'bar', tags: ['Vegan', 'Doğal içerik', 'Hediye'] },
    text: 'Plastiksiz, yolculuk dostu şampuan. A shampoo without plastic, made for travel.',
    ingredients: 'Sodium Cocoyl Isethionate, Theobroma Cacao Butter, Lavandula Angustifolia Oil',
  },
  {
    ...{ sku: 'EZ-SER-050', name: 'Zeytin Yaprağı Saç Serumu 50 ml', brand: ege, kind: 'hairoil' },
    ...{ stock: 15, hue: 92, status: 'INACTIVE', tags: ['Vegan', 'Yeni', 'Yerli üretim'] },
    text: 'Saç uçları için durulanmayan serum. A leave-in serum for the ends of the hair.',
    ingredients: 'Olea Europaea Leaf Extract, Squalane, Helianthus Annuus Seed Oil, Tocopherol',
  },
]

const makeUp: DemoProduct[] = [
  {
    ...{ sku: 'NC-RUJ-101', name: 'Mat Ruj 101 Nar Kırmızısı', brand: nar, kind: 'lipstick' },
    ...{ stock: 142, hue: 352, tags: ['Çok satan', 'Vegan'] },
    text: 'Sekiz saat kalıcı, kurutmayan mat ruj. A matte lipstick that stays for eight hours.',
    ingredients: 'Ricinus Communis Seed Oil, Candelilla Cera, Punica Granatum Seed Oil, CI 15850',
  },
  {
    ...{ sku: 'NC-RUJ-102', name: 'Mat Ruj 102 Gül Kurusu', brand: nar, kind: 'lipstick' },
    ...{ stock: 97, hue: 340, tags: ['Vegan', 'Hediye'] },
    text: 'Her ten rengine yakışan gül kurusu. A dusty rose that suits every complexion.',
    ingredients: 'Ricinus Communis Seed Oil, Candelilla Cera, Tocopherol, CI 77491, CI 15850',
  },
  {
    ...{ sku: 'NC-RUJ-103', name: 'Mat Ruj 103 Karanfil', brand: nar, kind: 'lipstick' },
    ...{ stock: 0, hue: 14, status: 'INACTIVE', tags: ['Vegan', 'Yeni'] },
    text: 'Sonbahar için sıcak karanfil tonu. A warm clove shade for autumn.',
    ingredients: 'Ricinus Communis Seed Oil, Candelilla Cera, Tocopherol, CI 77491, CI 77499',
  },
  {
    ...{ sku: 'NC-ALK-006', name: 'Şeftali Allık 6 g', brand: nar, kind: 'powder' },
    ...{ stock: 61, hue: 18, tags: ['Yeni', 'Hassas cilt'] },
    text: 'İpeksi dokulu, katmanlanabilir allık. A silky blush that builds in layers.',
    ingredients: 'Mica, Zea Mays Starch, Squalane, Tocopherol, CI 77491, CI 77891',
  },
  {
    ...{ sku: 'NC-PDR-012', name: 'Işıltılı Pudra 12 g', brand: nar, kind: 'powder' },
    ...{ stock: 44, hue: 32, tags: ['Yağlı cilt'] },
    text: 'Yüzü aydınlatan ince toz pudra. A fine powder that lights up the face.',
    ingredients: 'Mica, Silica, Zea Mays Starch, Zinc Stearate, CI 77891, CI 77492',
  },
  {
    ...{ sku: 'NC-RML-010', name: 'Hacim Veren Maskara 10 ml', brand: nar, kind: 'mascara' },
    ...{ stock: 128, hue: 285, tags: ['Çok satan', 'Hassas cilt'] },
    text: 'Ilık suyla çıkar, gözleri yormaz. Comes off with warm water and is kind to the eyes.',
    ingredients: 'Aqua, Copernicia Cerifera Cera, Glycerin, Panthenol, CI 77499',
  },
  {
    ...{ sku: 'DD-FON-030', name: 'Hafif Fondöten SPF 20 30 ml', brand: derya, kind: 'foundation' },
    ...{ stock: 35, hue: 28, tags: ['Güneş koruması', 'Parfümsüz', 'Hassas cilt'] },
    text: 'Cildin nefes almasına izin verir. Lets the skin breathe.',
    ingredients: 'Aqua, Titanium Dioxide, Squalane, Glycerin, CI 77492, CI 77491, CI 77499',
  },
  {
    ...{ sku: 'DD-FON-031', name: 'Mat Fondöten 30 ml', brand: derya, kind: 'foundation' },
    ...{ stock: 0, hue: 24, status: 'DELETED', tags: ['Yağlı cilt'] },
    text: 'Üretimi sona eren mat fondöten. A matte foundation that is no longer made.',
    ingredients: 'Aqua, Dimethicone, Titanium Dioxide, Talc, CI 77492, CI 77491',
  },
]

const sets: DemoProduct[] = [
  {
    ...{ sku: 'GE-SET-003', name: 'Gül Bakım Seti 3 Parça', brand: gul, kind: 'set' },
    ...{ stock: 28, hue: 346, tags: ['Hediye', 'Çok satan'] },
    text: 'Tonik, krem ve dudak bakımı bir kutuda. Toner, cream and lip balm in one box.',
    ingredients: 'Her ürünün kendi etiketine bakınız. See the label of each product.',
    holds: ['GE-TON-200', 'GE-KRM-050', 'GE-DDK-010'],
  },
  {
    ...{ sku: 'MV-SET-002', name: 'Lavanta Huzur Seti 2 Parça', brand: mor, kind: 'set' },
    ...{ stock: 19, hue: 266, tags: ['Hediye', 'Vegan'] },
    text: 'Duş jeli ve el kremi ile lavanta molası. A lavender break of shower gel and hand cream.',
    ingredients: 'Her ürünün kendi etiketine bakınız. See the label of each product.',
    holds: ['MV-DUS-300', 'MV-ELK-075'],
  },
  {
    ...{ sku: 'EZ-SET-002', name: 'Hamam Sabunları Seti 2 Parça', brand: ege, kind: 'set' },
    ...{ stock: 54, hue: 86, tags: ['Hediye', 'Doğal içerik', 'Yerli üretim'] },
    text: 'Zeytinyağı ve defne sabunu, pamuk kesede. Olive and laurel soap in a cotton pouch.',
    ingredients: 'Her ürünün kendi etiketine bakınız. See the label of each product.',
    holds: ['EZ-SBN-100', 'AD-SBN-120'],
  },
  {
    ...{ sku: 'NC-SET-002', name: 'Nar Kırmızısı Makyaj Seti', brand: nar, kind: 'set' },
    ...{ stock: 12, hue: 354, tags: ['Hediye', 'Yeni'] },
    text: 'Mat ruj ve maskara ile akşam makyajı. Matte lipstick and mascara for the evening.',
    ingredients: 'Her ürünün kendi etiketine bakınız. See the label of each product.',
    holds: ['NC-RUJ-101', 'NC-RML-010'],
  },
  {
    ...{ sku: 'DD-SET-003', name: 'Hassas Cilt Başlangıç Seti', brand: derya, kind: 'set' },
    ...{ stock: 23, hue: 198, tags: ['Hassas cilt', 'Parfümsüz', 'Hediye'] },
    text: 'Üç adımda günlük bakım rutini. A daily routine in three steps.',
    ingredients: 'Her ürünün kendi etiketine bakınız. See the label of each product.',
    holds: ['DD-TMZ-200', 'DD-HYA-050', 'DD-SPF-050'],
  },
  {
    ...{ sku: 'GE-SET-010', name: 'Yılbaşı Gül Kutusu', brand: gul, kind: 'set' },
    ...{ stock: 0, hue: 2, status: 'INACTIVE', tags: ['Hediye', 'Yeni'] },
    text: 'Yılbaşına özel, sınırlı sayıda. A limited edition for the new year.',
    ingredients: 'Her ürünün kendi etiketine bakınız. See the label of each product.',
    holds: ['GE-SRM-030', 'GE-DDK-010'],
  },
]

export const products: DemoProduct[] = [...face, ...sunAndBody, ...hair, ...makeUp, ...sets]
