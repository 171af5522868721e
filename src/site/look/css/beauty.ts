/** Soft: a rounded first picture in the shop's colour, round cards, chips, what is inside in view. */
export const beauty = `
body{--ratio:5/6;--round:1.5rem;--field-round:99px;--button-round:99px;--badge-round:99px;
--head-weight:620;--hero:clamp(2.1rem,4.6vw,3.9rem);--gap:clamp(.85rem,1.8vw,1.5rem)}
.top{border-bottom:0}
.nav a{font-weight:500}
.hero .wide{display:grid;gap:1.5rem;align-items:center;background:var(--tint);border-radius:2rem;
max-width:min(100% - 2*var(--side),calc(var(--wide) + 2*var(--side)));padding:clamp(1.75rem,4vw,4rem);margin-top:.5rem}
.hero .words{display:grid;gap:1.1rem;justify-items:start}
.hero h1{font-size:var(--hero);color:var(--on-tint)}
.hero p{font-size:1.125rem;max-width:24.5em}
.shots{display:grid;grid-template-columns:1.15fr 1fr;gap:.85rem}
.shots img{width:100%;height:100%;min-height:0;object-fit:cover;border-radius:1.25rem;aspect-ratio:1}
.shots img:first-child{grid-row:span 2;aspect-ratio:auto}
.card a{background:var(--raised);border-radius:1.75rem;padding:.6rem .6rem 1.1rem;height:100%;align-content:start}
.card .name,.card .brand,.card .count{padding-inline:.65rem}
.picture{border-radius:1.25rem}
.badge{background:var(--brand);color:var(--on-brand)}
.collections{--columns:2}
.collections .card a{background:none;height:auto;padding:0;justify-items:center;text-align:center}
.collections .picture{width:100%;aspect-ratio:1;border-radius:50%}
.chips a{background:var(--tint);color:var(--on-tint);border-color:transparent;font-weight:500}
.gallery li{border-radius:1.25rem}
.facts .more.inside{background:var(--tint);border:0;border-radius:1.5rem;padding:1.4rem}
.facts .more.inside dt{color:var(--on-tint);font-weight:600}
.asked li,.asked li:last-child{border:0;margin-bottom:.5rem}
.asked a,.asked span,.asked button{background:var(--raised);border-radius:1.25rem;padding-inline:1.1rem}
.foot{background:var(--tint);border:0;margin-inline:var(--side);border-radius:2rem;margin-bottom:var(--side)}
@media(min-width:820px){.hero .wide{grid-template-columns:1fr 1fr}}
@media(min-width:720px){.collections{--columns:4}}
@media(min-width:1080px){body{--columns:4}}
`
