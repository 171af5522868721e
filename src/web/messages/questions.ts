import type { Catalogue } from '../language.ts'

/** AI settings, the question library and the questions of a product. */
export const questions = {
  title: ['AI and questions', 'Yapay zekâ ve sorular'],
  about: [
    'How the assistant answers your visitors, and what it is asked most.',
    'Asistanın ziyaretçilerinize nasıl yanıt verdiği ve ona en çok ne sorulduğu.',
  ],
  settings: ['Assistant', 'Asistan'],
  fast: ['Fast answers', 'Hızlı yanıtlar'],
  fastHint: ['Thinking level LOW, from 1 credit.', 'Düşünme düzeyi LOW, 1 krediden başlar.'],
  comprehensive: ['Comprehensive answers', 'Kapsamlı yanıtlar'],
  comprehensiveHint: [
    'Thinking levels MEDIUM and HIGH and face analysis, from 2 credits.',
    'MEDIUM ve HIGH düzeyleri ve yüz analizi, 2 krediden başlar.',
  ],
  sector: ['Sector', 'Sektör'],
  sectorHint: ['Shapes the words of the assistant.', 'Asistanın sözcüklerini belirler.'],
  'sector.AUTO': ['As the template says', 'Şablona göre'],
  'sector.GENERAL': ['General', 'Genel'],
  'sector.BEAUTY': ['Beauty', 'Güzellik'],
  'sector.TEXTILE': ['Textile', 'Tekstil'],
  library: ['Question library', 'Soru kitaplığı'],
  libraryHint: [
    'Questions that visitors can tap. Products without their own show these.',
    'Ziyaretçilerin dokunabileceği sorular. Kendi sorusu olmayan ürünler bunları gösterir.',
  ],
  ofProduct: ['Questions', 'Sorular'],
  ofProductHint: [
    'Questions that visitors can tap on this product.',
    'Ziyaretçilerin bu üründe dokunabileceği sorular.',
  ],
  usesDefaults: ['It shows those of the library.', 'Kitaplıktakileri gösteriyor.'],
  ownQuestions: ['Give it its own', 'Kendi sorularını ver'],
  reset: ['Use the library again', 'Yeniden kitaplığı kullan'],
  question: ['Question {number}', '{number}. soru'],
  add: ['Add a question', 'Soru ekle'],
  remove: ['Remove question {number}', '{number}. soruyu kaldır'],
} as const satisfies Catalogue
