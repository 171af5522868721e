/** A small, chosen range: centred, serif, tall pictures that fill the page, two columns. */
export const boutique = `
body{--ratio:3/4;--frame:4/5;--head-weight:500;--head-space:0;--hero:clamp(2.4rem,6.5vw,5rem);--wide:76rem;
--gap:clamp(.75rem,2.5vw,2.5rem);--columns:1}
.top{border-bottom:0}
.shop{font-size:clamp(1.6rem,3vw,2.2rem)}
.nav ul{justify-content:center}
.stack{max-width:28rem;margin-inline:auto}
.list .stack{text-align:center}
.nav a{font-size:.8125rem;letter-spacing:.14em;text-transform:uppercase}
.find input{border-width:0 0 1px;background:none}
.hero{display:grid;position:relative}
.hero .wide{padding-block:clamp(2.5rem,6vw,5.5rem);text-align:center}
.hero .words{display:grid;justify-items:center;gap:1.4rem}
.hero h1{font-size:var(--hero);max-width:9.8em}
.hero p{font-size:clamp(1.05rem,1.6vw,1.3rem);max-width:25.5em;color:var(--soft)}
.shots{order:2}
.shots img{width:100%;height:min(80vh,56vw);min-height:22rem;object-fit:cover}
.button{letter-spacing:.04em;padding-inline:2.25rem}
.bar{justify-content:center;text-align:center;flex-direction:column;align-items:center}
.card{text-align:center}
.card .picture{margin-bottom:1rem}
.name{font-family:var(--head);font-size:1.2rem;font-weight:500}
.brand{font-size:.8125rem;letter-spacing:.06em}
.badge{inset:auto 0 0 0;border-radius:0;text-align:center;padding:.45rem;letter-spacing:.1em}
.head{justify-items:center;text-align:center}
.chips{justify-content:center}
.chips a{border-radius:0;border-width:0 0 1px}
.crumbs ul{justify-content:center}
.gallery{grid-template-columns:repeat(2,minmax(0,1fr))}
.gallery li{aspect-ratio:var(--frame)}
.gallery li:last-child:nth-child(even){grid-column:1/-1;aspect-ratio:1}
.facts .brand,.facts h1,.facts .state{text-align:center;justify-self:center}
.grid{display:flex;flex-wrap:wrap;justify-content:center}
.card{flex:0 0 calc((100% - (var(--columns) - 1)*var(--gap))/var(--columns))}
.foot .wide{text-align:center}
@media(max-width:559px){.list .grid{--columns:2}}
@media(min-width:560px){body{--columns:2}}
@media(max-width:719px){.nav ul{gap:0 .1rem}.nav a{letter-spacing:.03em;font-size:.75rem}}
@media(min-width:720px){.section .grid:not(.collections){--columns:3}.list .grid{--columns:3}}
@media(min-width:1100px){.top .wide{display:grid;grid-template-columns:minmax(15rem,1fr) minmax(0,auto) minmax(15rem,1fr);row-gap:0;padding-block:1.4rem .6rem}
.shop{grid-column:2;justify-self:center;max-width:none;font-size:2rem}.top .find{grid-column:3;grid-row:1;justify-self:end;width:calc(100% - 3.25rem);max-width:13rem;margin-inline-end:3.25rem}
.me{grid-column:3;grid-row:1;justify-self:end}
.nav{grid-column:1/-1;justify-self:center}}
@media(min-width:960px){.collections{--columns:3}.story{margin-inline:auto;text-align:center}}
`
