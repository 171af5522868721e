/**
 * As staff design it: by default loud, with a band in the shop's colour, wide pictures in frames, the first one
 * large. What they choose are variables of the page.
 */
export const customized = `
body{--ratio:var(--shape);--round:var(--corner);--head-weight:var(--weight);--head-space:-.035em;
--hero:calc(clamp(2.5rem,8vw,6.25rem)*var(--scale));--button-round:var(--corner);--field-round:var(--corner)}
.top{background:var(--band);color:var(--on-band);border:0}
.find input{background:transparent;border-color:currentColor}
.find input::placeholder{color:inherit}
.top :focus-visible{outline-color:currentColor}
.hero{background:var(--band);color:var(--on-band)}
.hero.pictured{background:linear-gradient(var(--band) calc(100% - clamp(7rem,20vw,16rem)),var(--paper) 0)}
.hero .wide{padding-block:clamp(1.5rem,5vw,4.5rem) clamp(1.75rem,4vw,3.5rem)}
.hero .words{display:grid;gap:1.25rem;justify-items:start}
.hero h1{font-size:var(--hero);line-height:.95;max-width:8.8em}
.hero p{font-size:clamp(1.1rem,2vw,1.5rem);max-width:21.5em}
.hero .button{background:var(--accent);border-color:var(--accent);color:var(--on-accent)}
.shots{order:2;max-width:calc(var(--wide) + 2*var(--side));width:100%;margin-inline:auto;
padding-inline:var(--side)}
.shots img{width:100%;height:clamp(14rem,40vw,32rem);object-fit:cover;border-radius:calc(var(--corner)*10/7)}
.wide .shots{display:grid;grid-auto-flow:column;grid-auto-columns:minmax(0,1fr);gap:var(--gap);padding:0;margin-top:clamp(1.5rem,4vw,3.5rem)}
.wide .shots img{height:clamp(10rem,32vw,26rem)}
.hero+.section{padding-top:clamp(2rem,4vw,3.5rem)}
.section+.hero{margin-top:clamp(2.25rem,5vw,4.5rem)}
.bar h2{font-size:calc(clamp(1.6rem,3.4vw,2.6rem)*var(--scale))}
.card a{border:var(--rim) solid var(--ink);border-radius:calc(var(--corner)*12/7);padding:var(--inset) var(--inset) calc(var(--inset)*1.5);height:100%;display:flex;flex-direction:column}
.card .picture{flex:none}
.card a:hover{background:var(--tint)}
.name{font-weight:700;font-size:1.0625rem}
.first .card:first-child{grid-column:1/-1}
.first .card:first-child .name{font-size:clamp(1.25rem,2.6vw,2rem)}
.badge{background:var(--accent);color:var(--on-accent);font-weight:700}
.chips a{border-radius:var(--corner);border:2px solid var(--ink);font-weight:600}
.facts .button{min-height:56px}
.foot{background:var(--foot);color:var(--on-foot);border:0}
.foot .soft{color:inherit}
@media(min-width:720px){.first .card:first-child{grid-column:span 2;grid-row:span 2}
.first .card:first-child:not(:only-child) .picture{flex:1 1 0;aspect-ratio:auto}}
@media(min-width:1080px){body{--columns:var(--desk)}}
`
