import type { SmallWords } from '../../pack.ts'
import { isEndingChain } from './forms.ts'

export const smallWords: SmallWords = {
  words: `acaba ama başka ancak artık aslında ayrıca bana bazı belki ben benim beni bence benimki bile bir biri
    birisi biraz biz bize bizim böyle bu buna bunda bundan bunlar bunu bunun burada cevap çok çünkü da
    daha de defa değil derece dı diğer diye dolayı durum durumu durumda edebilir eder ederim edin ediyor
    en etmek eğer evet falan fakat filan gelir geliyor gerçekten gerek gerekir gerekiyor gerekli gibi
    göre hakkında halde hangi hangisi hani hatta hayır hazırla hazırlar hele hem hep hepsi her herhangi
    herkes hiç için içinde içinden ile ilgili ise istiyorum isterim iyi kaç kadar kere kez ki kim kolay
    kolaygelsin kötü lazım lütfen merhaba merhabalar mesela mi mı mu mü mıdır midir mıyım miyim muyum müyüm
    musun mısın misin musunuz mısınız misiniz müsünüz mümkün nasıl ne neden neyden nedir nelerdir neler nerede
    nereden neresi nereye niçin niye nın nin o olan olabilir olarak oldu olduğu olması olmaz olsun olur
    olsa olmalı ona onlar onu onun önce öner önerir önerirsiniz öğrenmek öyle pek peki rutin rutini
    sadece sana sanki selam sen senin siz size sizde sizden sizin söyle söyler sonra sorum soru sorun
    sürede şey şeyi şu şunu tabii tam tane tavsiye teşekkürler tip tipi tipine tüm tür türü ürün ürünü
    ürünler ürünün ürünleri üzere üzerine var varmı vardır ve veya verir ya yahut yani yap yapar
    yapabilir yapılır yapılmış yapmak yerine yine yok yoksa zaman bilgi bahseder anlatır anlat etsem
    etsek alabilir alayım almalıyım istesem düşünüyorum merak ediyorum benimkisi yazık bi oluyor olmuyor
    kendim kendi şuan an kullanabilir altına altında üstüne üstünde üzerinde
    arıyorum arıyoruz satıyor satıyorsunuz şeyler ürününüz ürünleriniz`,
  isSmall: isLightVerb,
  letters: /[çğışöüÇĞİŞÖÜ]/g,
  endings:
    /\b\w{2,}(?:iyor|uyor|lar|ler|lari|leri|mez|maz|abilir|ebilir|malı|meli|mali|siz|suz|dir|dır|miyim|inca|ince|ligi|lugu)\b/gi,
}

/** Forms of the verbs that Turkish puts after nouns: do, be, want, know. */
function isLightVerb(word: string): boolean {
  const [, , rest] =
    /^(ed(?=[ei])|et(?=m[ei]|ti|se)|ol(?=[ua]|m[au]|du|sa)|yap(?=a|i(?!s)|m|t)|iste|bil(?=i|me|eb|en$))(.*)$/.exec(
      word,
    ) ?? []
  return rest !== undefined && isEndingChain(rest)
}
