/** What all templates share: type, layout of the pages, parts. A template sets its variables. */
export const base = `
*,::before,::after{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;scroll-padding-top:1rem}
body{--wide:80rem;--side:clamp(1rem,4vw,3rem);--gap:clamp(1rem,2vw,1.75rem);--columns:2;--ratio:1;
--round:0;--ground:#f4f4f2;--frame:1;--head-weight:650;--head-space:-.015em;--hero:clamp(2rem,5vw,3.5rem);
margin:0;min-height:100vh;display:flex;flex-direction:column;background:var(--paper);color:var(--ink);
font:400 1rem/1.6 var(--body);-webkit-font-smoothing:antialiased}
img{display:block;max-width:100%;height:auto}
a{color:inherit;text-underline-offset:.2em;text-decoration-thickness:1px}
h1,h2,h3{margin:0;font-family:var(--head);font-weight:var(--head-weight);letter-spacing:var(--head-space);
line-height:1.15;text-wrap:balance;overflow-wrap:anywhere}
h1{font-size:clamp(1.75rem,3.6vw,2.6rem)}
h2{font-size:clamp(1.3rem,2.2vw,1.75rem)}
p{margin:0;overflow-wrap:anywhere}
ul{list-style:none;margin:0;padding:0}
:focus-visible{outline:3px solid var(--link);outline-offset:3px;border-radius:3px}
.hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.skip{position:absolute;inset:.5rem auto auto .5rem;padding:.6rem 1rem;background:var(--ink);color:var(--paper);
transform:translateY(-200%);z-index:9}
.skip:focus{transform:none}
.wide{width:100%;max-width:calc(var(--wide) + 2*var(--side));margin-inline:auto;padding-inline:var(--side)}
.text{max-width:42rem}.story{display:grid;gap:.75rem}
.text p+p{margin-top:1em}.text p+dl,.text dl+p{margin-top:1rem}
.soft{color:var(--soft)}
.top{border-bottom:1px solid var(--line);background:var(--paper)}
.top .wide{display:flex;flex-wrap:wrap;align-items:center;gap:.35rem 1.75rem;padding-block:.9rem}
.shop{display:inline-flex;align-items:center;gap:.75rem;min-height:44px;font-family:var(--head);
font-weight:var(--head-weight);font-size:1.25rem;letter-spacing:var(--head-space);text-decoration:none;line-height:1.2}
.shop img{width:auto;height:44px;min-width:44px;max-width:9rem;object-fit:contain;background:var(--plate);box-shadow:0 0 0 .25rem var(--plate);border-radius:2px}
.shop span{min-width:0;overflow-wrap:anywhere;display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2;overflow:hidden}
.nav ul{display:flex;flex-wrap:wrap;gap:0 1.25rem}
.nav a{display:inline-flex;align-items:center;min-height:44px;text-decoration:none}
.nav a:hover,.nav a[aria-current]{text-decoration:underline;text-underline-offset:.35em}
.find{display:flex;flex:1 1 11rem;width:100%;max-width:20rem;position:relative}
.find input{width:100%;min-height:44px;padding:.4rem 3rem .4rem 1rem;border:1px solid var(--line);
border-radius:var(--field-round,0);background:var(--raised);color:inherit;font:inherit;appearance:none}
.find input::placeholder{color:var(--soft);opacity:1}
.find button{position:absolute;inset:0 0 0 auto;width:44px;border:0;background:none;color:inherit;cursor:pointer}
.find svg,.seek svg,.me svg{display:block;margin:auto}
.seek,.me{display:grid;width:44px;height:44px}.me{margin-inline-end:-.6rem}
.nav{order:2}
main{flex:1 0 auto;padding-bottom:clamp(3rem,7vw,6rem)}
.head{padding-block:clamp(1.75rem,4vw,3.5rem) clamp(1.25rem,2.5vw,2rem);display:grid;gap:.6rem}
.head .find{margin-top:.6rem}
.section{padding-top:clamp(2.25rem,5vw,4.5rem)}
.bar{display:flex;flex-wrap:wrap;align-items:baseline;justify-content:space-between;gap:.25rem 1.5rem;
margin-bottom:clamp(1rem,2vw,1.75rem)}
.bar a{display:inline-flex;align-items:center;min-height:44px}
.grid{display:grid;gap:calc(var(--gap)*1.6) var(--gap);grid-template-columns:repeat(var(--columns),minmax(0,1fr))}
.card a{display:grid;grid-template-columns:minmax(0,1fr);gap:.15rem;text-decoration:none}
.picture{display:block;position:relative;overflow:hidden;aspect-ratio:var(--ratio);border-radius:var(--round);
background:var(--ground);margin-bottom:.65rem}
.picture img{width:100%;height:100%;object-fit:cover;transition:transform .5s ease,opacity .3s}
.card a:hover .picture img{transform:scale(1.03)}
.picture .none{position:absolute;inset:0;display:grid;place-items:center;font:600 clamp(1.8rem,5vw,3rem)/1 var(--head);
background:var(--tint);color:var(--on-tint)}
.name{font-weight:550;line-height:1.35;overflow-wrap:anywhere}
.card .name{display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:3;overflow:hidden}
.card a:hover .name{text-decoration:underline}
.brand,.count,.chips a,.crumbs a,dt,.button{overflow-wrap:anywhere}
.brand,.count{color:var(--soft);font-size:.875rem;line-height:1.4}
.badge{position:absolute;inset:auto auto .6rem .6rem;padding:.2rem .6rem;background:var(--paper);color:var(--ink);
font-size:.75rem;line-height:1.4;border-radius:var(--badge-round,2px)}
.chips{display:flex;flex-wrap:wrap;gap:.5rem}
.chips a{display:inline-flex;align-items:center;min-height:36px;padding:.15rem .85rem;border:1px solid var(--line);
border-radius:var(--chip-round,99px);font-size:.875rem;text-decoration:none}
.chips a:hover{border-color:currentColor}
.pages{display:flex;align-items:center;justify-content:center;gap:1.25rem;margin-top:clamp(2rem,5vw,3.5rem)}
.pages a,.button{display:inline-flex;align-items:center;justify-content:center;gap:.5rem;min-height:48px;
padding:.5rem 1.5rem;border:1px solid var(--ink);border-radius:var(--button-round,0);text-align:center;text-decoration:none;font-weight:550}
.button.main{background:var(--brand);border-color:var(--brand);color:var(--on-brand)}
.button:hover,.pages a:hover{opacity:.86}
.crumbs{padding-top:1.1rem;font-size:.875rem;color:var(--soft)}
.crumbs ul{display:flex;flex-wrap:wrap;gap:.15rem .5rem}
.crumbs li+li::before{content:"/";margin-inline-end:.5rem;color:var(--line)}
.crumbs a{text-decoration:none;display:inline-block;padding-block:.25rem}
.crumbs a:hover{text-decoration:underline}
.product,.facts,.buy{grid-template-columns:minmax(0,1fr)}
.product{display:grid;gap:clamp(1.5rem,4vw,4rem);padding-top:1rem}
.gallery li{border-radius:var(--round);overflow:hidden;background:var(--ground)}
.gallery a{display:block;height:100%}
.gallery img{width:100%;height:100%;object-fit:contain}
.facts{display:grid;gap:1.1rem;align-content:start}.facts h1{font-size:clamp(1.4rem,2.4vw,2.1rem)}
.state{display:inline-flex;align-items:center;gap:.55rem;font-size:.9375rem}
.state::before{content:"";width:.6rem;height:.6rem;border-radius:50%;background:#2c8a4b}
.state.out::before{background:var(--soft)}
.buy{display:grid;gap:.6rem}
.buy .button{width:100%;flex-wrap:wrap;gap:.1rem .6rem}
.host{flex-basis:100%;font-weight:400;font-size:.875em;line-height:1.3}
.more{border-top:1px solid var(--line);padding-top:1.1rem;display:grid;gap:.8rem}
.more h2{font-size:1.05rem}
dl{display:grid;gap:.9rem;margin:0}
@media(min-width:480px){.facts dl>div{display:grid;grid-template-columns:9rem 1fr;gap:1rem;align-items:baseline}}
dt{font-size:.8125rem;color:var(--soft)}
dd{margin:0;overflow-wrap:anywhere}
.text .asked{margin-top:1.5rem}
.answers{gap:1.5rem;margin-bottom:2.5rem}.answers dt{font:600 1.0625rem/1.4 var(--body);color:var(--ink);margin-bottom:.25rem}
.text .button{margin-top:1rem}
.asked li{border-top:1px solid var(--line)}
.asked li:last-child{border-bottom:1px solid var(--line)}
.asked a,.asked span,.asked button{display:flex;align-items:center;justify-content:space-between;gap:1rem;min-height:48px;
padding:.6rem 0;text-decoration:none;overflow-wrap:anywhere}
.asked small{margin-inline-start:auto;white-space:nowrap}
.asked button{width:100%;border:0;background:none;color:inherit;font:inherit;text-align:start;cursor:pointer}
.asked a::after,.asked button::after{content:"→";content:"→"/"";color:var(--soft)}
.asked a:hover,.asked button:hover{text-decoration:underline}
.kept details{border-top:1px solid var(--line);padding-block:.35rem}.kept details[open]{padding-bottom:.9rem}
.kept ul{padding-left:1.1rem}
.foot{border-top:1px solid var(--line);padding-block:clamp(2rem,4vw,3.5rem);font-size:.9375rem}
.foot .wide{display:grid;gap:1.5rem 3rem;grid-template-columns:repeat(auto-fit,minmax(min(100%,13rem),1fr))}
.foot h2{font:600 .9375rem/1.4 var(--body);letter-spacing:0;margin-bottom:.35rem}
.foot a{display:inline-flex;align-items:center;min-height:32px;overflow-wrap:anywhere;text-decoration:none}
.foot a:hover{text-decoration:underline}
.scheme{display:inline-flex;align-items:center;gap:.5rem;margin-top:.5rem}
.scheme select{height:44px;padding:.3rem .6rem;border:1px solid;border-radius:var(--field-round,0);background:none;color:inherit;font:inherit;font-family:system-ui,sans-serif}
.scheme option{background:var(--paper);color:var(--ink)}
.stack{display:grid;gap:1.5rem}
.form{display:grid;gap:1.1rem;justify-items:start;width:100%;max-width:28rem;text-align:start}
.field{display:grid;gap:.35rem;width:100%}
.field label{font-weight:550}
.field input,.field select,.field textarea,.ask textarea{width:100%;min-height:48px;padding:.55rem .9rem;
border:1px solid var(--soft);border-radius:var(--field-round,0);background:var(--paper);color:inherit;font:inherit;
accent-color:var(--brand)}
.field textarea,.ask textarea{border-radius:min(var(--field-round,0px),1rem);resize:vertical}
.field [aria-invalid]{border-color:#c0392b}
.small{font-size:.875rem}
::file-selector-button{min-height:36px;margin-inline-end:.75rem;padding:.2rem .9rem;border:1px solid currentColor;
border-radius:var(--button-round,0);background:none;color:inherit;font:inherit;cursor:pointer}
.fault,.done{padding:.6rem .9rem;border-inline-start:3px solid #c0392b;background:var(--raised);width:100%}
.done{border-color:#2c8a4b}
button.button{background:none;color:inherit;font:inherit;font-weight:550;cursor:pointer}
button.button.main{background:var(--brand);color:var(--on-brand)}
button[disabled]{opacity:.55;cursor:default}
.plain{border:0;padding:.6rem 0;min-height:44px;background:none;color:inherit;font:inherit;text-decoration:underline;
text-underline-offset:.2em;cursor:pointer}
.chat,.ask{display:grid;gap:1rem}
.talk{list-style:none;margin:0;padding:0;display:grid;gap:.9rem}
.talk:empty{display:none}
.talk>li{max-width:min(100%,38rem);padding:.75rem 1rem;border-radius:1rem;overflow-wrap:anywhere;display:grid;gap:.8rem}
.talk .you{justify-self:end;background:var(--brand);color:var(--on-brand);border-end-end-radius:.25rem}
.talk .them{justify-self:start;background:var(--raised);border-end-start-radius:.25rem}
.talk .refused{border:1px solid var(--line);background:none}
.said{white-space:pre-line}
.dots::after{content:"";display:inline-block;width:1.2em;text-align:start;animation:dots 1.2s steps(4) infinite}
@keyframes dots{0%{content:""}25%{content:"."}50%{content:".."}75%{content:"..."}}
.sources{display:grid;gap:.3rem;font-size:.875rem;color:var(--soft);border-top:1px solid var(--line);padding-top:.6rem}
.sources ul{display:grid;gap:.3rem}.sources a{color:var(--link)}
.note{font-size:.875rem;color:var(--soft)}
.found{display:grid;gap:.75rem;grid-template-columns:repeat(auto-fill,minmax(7.5rem,1fr))}
.found .picture{margin-bottom:.35rem}.found .name{font-size:.9375rem}
.found .card a{padding:0;border:0;background:none}.found .card .name,.found .card .brand{padding:0}
.steps{list-style:none;margin:0;padding:0;display:grid;gap:1rem}
.steps li{display:flex;gap:.9rem}
.steps .picture{flex:none;width:4.5rem;aspect-ratio:1;margin:0}
.steps div{display:grid;align-content:start}
.steps strong{font-size:.875rem;font-weight:550;color:var(--soft)}
.steps a{padding-block:.2rem}.steps .how{font-size:.9375rem;text-decoration-color:var(--line)}
.ask>.button{justify-self:start}
.instead{display:none}
.silent .ask{display:none}.silent .instead{display:grid;gap:1rem}
@media(scripting:none){.ask,.talk,.scheme{display:none}.instead{display:grid;gap:1rem}}
::highlight(cited){background-color:var(--accent);color:var(--on-accent)}
.talks>li{border-top:1px solid var(--line);padding-block:.25rem;display:grid;gap:.5rem}
.talks form{display:flex;flex-wrap:wrap;align-items:center;gap:0 1rem}.talks .plain:first-of-type{flex:1 1 12rem;text-align:start;overflow-wrap:anywhere}
summary{cursor:pointer;min-height:44px;align-content:center}details .form{padding-block:.5rem}
.alone .form{margin-block:.5rem}
.alone{min-height:70vh;display:grid;place-content:center;justify-items:center;text-align:center;gap:1rem}
@media(min-width:720px){body{--columns:3}}
@media(min-width:960px){.gallery{display:grid;gap:.75rem;grid-template-columns:repeat(4,minmax(0,1fr));align-content:start}
.gallery li{aspect-ratio:1}.gallery li:first-child{grid-column:1/-1;aspect-ratio:var(--frame)}
.product{grid-template-columns:minmax(0,1.2fr) minmax(0,1fr)}
.product>.gallery,.product>.picture{position:sticky;top:var(--stick,1.5rem);align-self:start}}
@media(max-width:1099px){.top .find{display:none}.me{order:1}.seek{order:0}.shop{order:-1}.shop{flex:1 1 0;min-width:0}
.top .wide{padding-block:.4rem 0;gap:0 .5rem}
.nav{flex-basis:100%;margin-inline:calc(-1*var(--side));overflow-x:auto;scrollbar-width:none;
mask-image:linear-gradient(90deg,#000 calc(100% - 2rem),#0000)}
.nav a{padding-inline:.4rem}.nav a:focus-visible{outline-offset:-3px}
.nav ul{flex-wrap:nowrap;width:max-content;gap:0 .3rem;min-width:100%;padding-inline:calc(var(--side) - .4rem) 2rem}}
@media(max-width:959px){.gallery{display:flex;gap:.5rem;overflow-x:auto;scroll-snap-type:x mandatory;scrollbar-width:none;
margin-inline:calc(-1*var(--side));padding-inline:var(--side);scroll-padding-inline:var(--side)}
.gallery li,.gallery li:first-child{flex:0 0 min(88%,34rem);aspect-ratio:var(--frame);scroll-snap-align:start}
.gallery li:only-child{flex-basis:100%}}
@media(max-width:719px){.shop{font-size:1.05rem;padding-block:.35rem}
.head .chips{flex-wrap:nowrap;overflow-x:auto;scrollbar-width:none;margin-inline:calc(-1*var(--side));padding:3px var(--side);
justify-content:flex-start;justify-self:stretch}.head .chips a{white-space:nowrap}}
@media(min-width:1100px){.seek{display:none}.me{order:4}.shop{flex:0 1 auto;min-width:0;max-width:40%}.top .find{order:3;min-width:11rem;margin-inline-start:auto}.top .wide{flex-wrap:nowrap}}
@media(prefers-reduced-motion:reduce){*{transition:none!important;animation:none!important;scroll-behavior:auto!important}}
@media(prefers-reduced-motion:no-preference){@view-transition{navigation:auto}}
@media print{.find,.nav,.me,.seek,.chat,.foot{display:none}}
`
