/** Pictures before words: tall, edge to edge, without gaps; small capitals; sizes and care as a table. */
export const textile = `
body{--ratio:2/3;--frame:4/5;--wide:110rem;--side:clamp(.85rem,2vw,1.75rem);--gap:2px;--head-weight:600;--head-space:-.02em;
--hero:clamp(2rem,6vw,5.2rem);--stick:5rem}
.top .wide{padding-block:.45rem}
.shop{font-size:1.15rem;letter-spacing:-.01em}
.nav a{font-size:.8125rem;text-transform:uppercase;letter-spacing:.03em}
.find input{border-width:0 0 1px;background:none;border-radius:0}
.hero{display:grid;position:relative}
.shots img{width:100%;height:min(64vh,110vw);object-fit:cover}
.hero .wide{order:2;display:grid;gap:.75rem;padding-block:1.5rem 0}
.hero .words{display:grid;gap:.75rem}
.hero h1{font-size:var(--hero);line-height:1;max-width:11.4em;letter-spacing:-.035em}
.hero p{max-width:31em}
.bar h2{font-size:.8125rem;text-transform:uppercase;letter-spacing:.08em}
.bar a{font-size:.8125rem;text-transform:uppercase;letter-spacing:.05em}
.list .grid,.edge{margin-inline:calc(-1*var(--side))}
.grid{row-gap:1.5rem}
.card .picture{margin-bottom:.5rem}
.card .name,.card .brand,.card .count{padding-inline:.75rem;font-size:.8125rem}
.card .name{font-weight:500}
.card a:hover .picture img{transform:none;opacity:.86}
.badge{inset:.6rem auto auto .6rem;color:#111;background:#fff;padding:.15rem .45rem}
.chips a{border-radius:0;font-size:.8125rem}
.gallery{gap:2px;grid-template-columns:repeat(2,minmax(0,1fr))}
.gallery li,.gallery li:first-child{aspect-ratio:var(--frame)}
.gallery li:first-child{grid-column:auto}
.gallery li:last-child:nth-child(odd){grid-column:1/-1;aspect-ratio:1}
.facts dl{gap:0}
.facts dl>div{padding-block:.6rem;border-top:1px solid var(--line)}
.facts .more h2{font-size:.8125rem;text-transform:uppercase;letter-spacing:.08em}
.button{font-size:.9375rem}
@media(min-width:1100px){.top{position:sticky;top:0;z-index:5}html{scroll-padding-top:6rem}}
@media(min-width:960px){body{--columns:4}.product{grid-template-columns:minmax(0,2fr) minmax(0,1fr)}
.hero .wide{grid-template-columns:1fr auto;align-items:end}}
`
