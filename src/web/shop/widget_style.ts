/** The look of the widget. In a sheet of its own: the host's policy need not allow inline styles. */
export const widgetStyle = ({ brand, ink }: { brand: string; ink: string }) => `
:host{--paper:light-dark(#fff,#17181a);--text:light-dark(#17181a,#f2f1ef);
--soft:light-dark(#5b5f66,#a9adb3);--line:light-dark(#dddfe2,#3a3d42);--raised:light-dark(#f3f4f5,#24262a)}
[hidden]{display:none!important}
*{box-sizing:border-box;margin:0}
.panel{position:fixed;inset:auto 16px 16px auto;z-index:2147483647;display:flex;flex-direction:column;gap:12px;
width:min(380px,calc(100vw - 32px));max-height:min(600px,calc(100vh - 32px));padding:16px;overflow:auto;
background:var(--paper);color:var(--text);border:1px solid var(--line);border-radius:16px;
box-shadow:0 8px 40px #0004;font:16px/1.5 system-ui,sans-serif}
header{display:flex;align-items:center;justify-content:space-between;gap:12px}
ol,ul{list-style:none;padding:0;display:grid;gap:10px}
li{overflow-wrap:anywhere}
.talk:empty{display:none}
.you,.them{padding:10px 14px;border-radius:14px;max-width:92%;display:grid;gap:10px}
.you{justify-self:end;background:${brand};color:${ink}}
.them{justify-self:start;background:var(--raised)}
.said{white-space:pre-line}
.sources{display:grid;gap:4px;font-size:14px;color:var(--soft);border-top:1px solid var(--line);padding-top:8px}
a{color:inherit}
.note,.brand{font-size:13px;color:var(--soft)}
.card a{display:grid}
form{display:grid;gap:10px}
.suggestions{display:grid;gap:6px}
button{min-height:44px;padding:6px 14px;border:1px solid var(--line);border-radius:12px;background:none;
color:inherit;font:inherit;text-align:start;cursor:pointer}
button:disabled{opacity:.55}
.send{justify-self:end;background:${brand};color:${ink};border-color:${brand};padding-inline:22px}
.close{padding:0;width:44px;text-align:center;font-size:22px}
textarea{width:100%;min-height:60px;padding:10px 12px;border:1px solid var(--soft);border-radius:12px;
background:var(--paper);color:inherit;font:inherit;resize:vertical}
:focus-visible{outline:3px solid ${brand};outline-offset:2px}
`
