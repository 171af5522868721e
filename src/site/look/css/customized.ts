/** Loud: a band in the shop's colour, wide pictures in frames, the first one large. */
export const customized = `
body{--ratio:1;--round:.35rem;--head-weight:750;--head-space:-.035em;--hero:clamp(2.5rem,8vw,6.25rem);
--button-round:.35rem;--field-round:.35rem}
.top{background:var(--brand);color:var(--on-brand);border:0}
.find input{background:transparent;border-color:currentColor}
.find input::placeholder{color:inherit;opacity:.85}
.top :focus-visible{outline-color:currentColor}
.hero{background:var(--brand);color:var(--on-brand)}
.hero.pictured{background:linear-gradient(var(--brand) calc(100% - clamp(7rem,20vw,16rem)),var(--paper) 0)}
.hero .wide{padding-block:clamp(1.5rem,5vw,4.5rem) clamp(1.75rem,4vw,3.5rem)}
.hero .words{display:grid;gap:1.25rem;justify-items:start}
.hero h1{font-size:var(--hero);line-height:.95;max-width:14ch}
.hero p{font-size:clamp(1.1rem,2vw,1.5rem);max-width:36ch}
.hero .button{background:var(--accent);border-color:var(--accent);color:var(--on-accent)}
.shots{order:2;max-width:calc(var(--wide) + 2*var(--side));width:100%;margin-inline:auto;
padding-inline:var(--side)}
.shots img{width:100%;height:clamp(14rem,40vw,32rem);object-fit:cover;border-radius:.5rem}
.hero+.section{padding-top:clamp(2rem,4vw,3.5rem)}
.bar h2{font-size:clamp(1.6rem,3.4vw,2.6rem)}
.card a{border:2px solid var(--ink);border-radius:.6rem;padding:.6rem .6rem .9rem;height:100%;display:flex;flex-direction:column}
.card .picture{flex:none}
.card a:hover{background:var(--tint)}
.name{font-weight:700;font-size:1.0625rem}
.first .card:first-child{grid-column:1/-1}
.first .card:first-child .name{font-size:clamp(1.25rem,2.6vw,2rem)}
.badge{background:var(--accent);color:var(--on-accent);font-weight:700}
.chips a{border-radius:.35rem;border:2px solid var(--ink);font-weight:600}
.facts .button{min-height:56px}
.foot{background:var(--ink);color:var(--paper);border:0}
.foot .soft{color:inherit}
@media(prefers-color-scheme:dark){.top,.hero,.foot{background:var(--raised);color:var(--ink)}
.hero.pictured{background:linear-gradient(var(--raised) calc(100% - clamp(7rem,20vw,16rem)),var(--paper) 0)}}
@media(min-width:720px){.first .card:first-child{grid-column:span 2;grid-row:span 2}
.first .card:first-child .picture{flex:1 1 0;aspect-ratio:auto}}
@media(min-width:1080px){body{--columns:4}}
`
