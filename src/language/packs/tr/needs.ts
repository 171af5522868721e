import type { NeedWords } from '../../need_words.ts'

/** Colours as the second word of a name: "gül kurusu", "gece mavisi". */
const colour = `kirmizisi|mavisi|yesili|sarisi|beji|pembesi|kurusu|curugu|moru|grisi|beyazi|siyahi|turuncusu|laciverti|kahvesi|kahverengisi`

export const needs: NeedWords = {
  bearers: {
    skin: {
      nouns: `cilt, ciltl*, ciltt*, ciltin*, cild*, ten, tenin*, tenim*, tenler*, tene, tenli*, yuz, yuzum*, yuzunu*,
        yuzler*, yuze, eller, ellere, elleri*, ellerim*, dudak*, dudag*, ayaklar*, topuk*, topug*, dirsek*`,
      types: {
        dry_skin: 'kuru, kupkuru, kuruya, kurudan, kuruyan, kuruyor*, nemsiz',
        oily_skin: 'yagli, yagliya, yaglidan, yaglanan, yaglanir, yaglaniyor*, yaglanmaya',
        combination_skin: 'karma, karmaya, karmadan',
        normal_skin: 'normal, normale, normalden',
        sensitive_skin: 'hassas, hassaslas*',
      },
      alone: { dry_skin: 'kuruluk*, kurulug*', oily_skin: 'sebum*, yaglanma*' },
      every: [/\b(?:her|tum|butun) (?:(?:cilt|cild)\w*(?! ton| reng)|ten tip|yuz tip)/],
    },
    hair: {
      nouns:
        'sac, saclar*, sacim*, sacin*, saci, saca, sacta, sacl*, sac dip*, sac deri*, sac tel*, sac uc*',
      types: {
        dry_hair: 'kuru, kupkuru, kuruyan, kuruyor*',
        oily_hair: 'yagli, yaglanan, yaglanir, yaglaniyor*, yaglanmaya',
        normal_hair: 'normal',
        fine_hair: 'ince telli, ince',
        thick_hair: 'kalin telli, kalin',
        curly_hair: 'kivircik, dalgali, bukleli',
        straight_hair: 'duz',
      },
      alone: { curly_hair: 'bukleler*' },
      every: [/\b(?:her|tum|butun) sac/],
    },
  },
  plain: {
    spring: {
      names: 'ilkbahar, baharlik',
      says: 'ilkbahar (?:icin|ay\\w*|gunleri\\w*), baharlik',
      asks: 'ilkbahar*, baharlik*',
    },
    summer: {
      names: 'yaz, yazin, yazlik',
      says: 'yazin (?:\\w+ )?(?:\\w+ )?(?:\\w+ )?icin, yaz (?:icin|ay\\w*|gun\\w*|aksam\\w*|gece\\w*|mevsim\\w*|sicag\\w*), yazlik*',
      asks: 'yazlik*, bu yaz, yaz (?:icin|ay\\w*|gun\\w*|mevsim\\w*|tatil\\w*)',
    },
    autumn: {
      names: 'sonbahar, sonbaharlik, guz, guzluk',
      says: 'sonbahar (?:icin|ay\\w*|gunleri\\w*), sonbaharlik*, guzluk*',
      asks: 'sonbahar*, guzluk*',
    },
    winter: {
      names: 'kis, kisin, kislik',
      says: 'kisin (?:\\w+ )?(?:\\w+ )?(?:\\w+ )?icin, kis (?:icin|ay\\w*|gun\\w*|aksam\\w*|gece\\w*|mevsim\\w*|sogug\\w*), kislik*',
      asks: 'kislik*, kisin, bu kis, kis (?:icin|ay\\w*|gun\\w*|mevsim\\w*|tatil\\w*)',
    },
    indoors: {
      names: 'ic mekan',
      says: 'ic mekan*',
      asks: 'ic mekan*',
    },
    outdoors: {
      names: 'dis mekan, acik hava',
      says: 'dis mekan*, acik hava*',
      asks: 'dis mekan*, acik hava*',
    },
    men: {
      names: 'erkek, erkekler',
      says: 'erkekler icin, erkeklere (?:ozel|uygun|yonelik)',
      asks: 'erkek, erkekler*, erkege, kocam*, babam*',
    },
    women: {
      names: 'kadin, kadinlar, bayan, bayanlar',
      says: 'kadinlar icin, kadinlara (?:ozel|uygun|yonelik)',
      asks: 'kadin, kadinlar*, kadina, bayan*, karim*, annem*',
    },
  },
  every: {
    season: [/\b(?:her|dort|tum) mevsim/, /\byaz kis\b/, /\bkis yaz\b/],
    place: [/\bic ve dis mekan/, /\bdis ve ic mekan/],
    person: [/\buniseks\b/, /\bherkes (?:icin|kullan)/, /\bkadin ve erkek/, /\berkek ve kadin/],
  },
  joins: 've, veya, ya da, ile, hem',
  very: 'cok, asiri',
  between: 'bebek, bir, donuk, yatkin, egilimli, kadar',
  is: 'cok, biraz, genelde, genellikle, tipi*, artik, hep, asiri, gercekten, hafif',
  toldBy: 'olan*, ise',
  after: 'icin, olan*, tip*',
  except: { after: 'haric, disinda*, haricinde*' },
  denied: { after: 'degil*' },
  unsuited: [
    /\b(?:icin|gore|yonelik|uygun|ideal|birebir|tercih|dogru|onerilen) (?:\w+ )?degil/,
    /\b(?:uygun olma|uyma)(?:z|yan|yabilir)/,
    /\b(?:gelme|yarama)(?:z|yabilir)\b/,
    /\b(?:fazla|cok) (?:agir|hafif|yogun|kurutucu) (?:gel|kal)\w*/,
    /\byeterince .*m[ae]z\b/,
    /\b(?:kislik|yazlik|guzluk|baharlik) degil/,
    /\b(?:yol ac|neden ol|sebep ol)(?:abilir|ar|ur)\b/,
  ],
  praise: [
    /\b(?:sadece|yalnizca|yalniz|sirf) .*degil/,
    /\bsakinles\w*/,
    /\bzararli (?:\w+ )?(?:isin|etki|etken)\w*/,
  ],
  applied: [
    /<[^>]*(?:cilde|cildinize|cildin uzerine|saca|saciniza|saclariniza|saclara|ellere|ellerinize|dudaklara|dudaklariniza)> .*\b(?:sur|uygula|sik|yedir|puskurt|masaj|yay|tara)\w*/,
    /\btemiz(?:,| ve) </,
  ],
  colours: [new RegExp(`\\b\\w+ (?:${colour})\\b`)],
}
