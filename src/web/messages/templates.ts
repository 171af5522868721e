/**
 * The templates in Turkish, by key. In English, and for a template that is newer than these pages,
 * the service's own words are shown.
 */
export const turkishTemplates: Readonly<Record<string, readonly [name: string, about: string]>> = {
  minimal: ['Yalın', 'Sahneyi ürünlere bırakan sakin bir sayfa.'],
  boutique: ['Butik', 'Küçük, seçilmiş bir ürün yelpazesi için büyük görseller ve kısa metinler.'],
  beauty: ['Güzellik', 'Rutinleri ve içerikleri öne çıkaran cilt bakımı ve kozmetik.'],
  textile: ['Tekstil', 'Beden ve bakım bilgisini öne çıkaran giyim ve kumaş.'],
  customized: ['Size özel', 'Sizinle tasarlanır: telefon numarası bırakın, ekibimiz arasın.'],
}
