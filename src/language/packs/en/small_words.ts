import type { SmallWords } from '../../pack.ts'

export const smallWords: SmallWords = {
  words: `a about actually after all also am an and another any anyone anything anyway are as at be because
    been being but by can cannot cant come comes could d did do does doesn doing don down each either
    else ever every everything exactly feel find for from get give go going gonna good got great guess
    had has have having he hello help helps helpful her here hey hi hope how i idea if im in instead into
    is isn it its just kind know let like little ll look looking lot m make many may maybe me mean might
    more most much must my near need never nice no not now of off offer ok okay on one only or other
    others our out over own perhaps planning please product products question quite rather re really real
    recommend routine s same say see seem sell she should show so some someone something soon sort still
    stuff such suggest sure t take tell than thank thanks that thats the their them then there these they
    thing things think this those though thought through time times to too try trying type under until up
    upon us usual usually ve very want wanted was way we well were what whats when where whether which
    while who whom whose why will wish with without won wonder wondering work works worth would yes yet
    you your yours anybody problem issue cope possible bad ahead back between bit both care around making
    put puts together during against enough beneath underneath`,
  endings: /\b\w{3,}(?:ing|ness|ful|able|tion)\b/gi,
}
