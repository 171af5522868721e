/** Quiet: the products first, square pictures, four columns, hairlines. */
export const minimal = `
body{--head-weight:600;--hero:clamp(1.5rem,3vw,2.1rem)}
.top{border-bottom-color:transparent}
.hero{padding-top:clamp(1.25rem,3vw,2.5rem)}
.hero .words{display:grid;gap:.5rem}
.hero h1{font-size:var(--hero);max-width:21em;font-weight:500}
.hero p{color:var(--soft);max-width:37.5em}
.hero .acts{display:none}
.section{padding-top:clamp(1.75rem,3.5vw,3rem)}
.bar h2{font-size:1rem;font-weight:600;letter-spacing:0}
.collections{--columns:1;border-top:1px solid var(--line);gap:0}
.collections .picture{display:none}
.collections .card{border-bottom:1px solid var(--line)}
.collections .card a{display:flex;justify-content:space-between;align-items:center;gap:1rem;min-height:60px}
.collections .name{font-size:1.0625rem}
@media(min-width:1080px){body{--columns:4}.collections{--columns:1}}
`
