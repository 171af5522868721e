import sharp from 'sharp'

/**
 * Faces for tests, drawn in SVG: the repository contains no picture of a person and none under
 * another licence. They are shaded like a portrait, so that the detector recognises them.
 */

export interface DrawnFace {
  /** Redness of the cheeks, from 0 to 1. */
  blush?: number
  /** Darkness of the picture, from 0 to 1. */
  darkness?: number
}

const [width, height] = [480, 600]

const shades = `
  <radialGradient id="skin" cx="0.47" cy="0.42" r="0.62"><stop offset="0" stop-color="#f0c9ae"/>
    <stop offset="0.6" stop-color="#d9a688"/><stop offset="1" stop-color="#8f5f48"/></radialGradient>
  <radialGradient id="socket"><stop offset="0" stop-color="#7a4c38" stop-opacity="0.55"/>
    <stop offset="1" stop-color="#7a4c38" stop-opacity="0"/></radialGradient>
  <linearGradient id="back" x2="0" y2="1"><stop offset="0" stop-color="#b9c4c9"/>
    <stop offset="1" stop-color="#8b979c"/></linearGradient>
  <linearGradient id="neck" x2="0" y2="1"><stop offset="0" stop-color="#7d523d"/>
    <stop offset="0.5" stop-color="#c4937a"/></linearGradient>
  <filter id="soft"><feGaussianBlur stdDeviation="1"/></filter>
  <filter id="softer"><feGaussianBlur stdDeviation="3"/></filter>`

const eye = `
  <path d="M158 266C170 248 200 248 213 268C200 280 172 280 158 266Z" fill="#efe8e2"/>
  <circle cx="186" cy="264" r="11" fill="#4b2f1d"/><circle cx="186" cy="264" r="5" fill="#0c0705"/>
  <circle cx="189" cy="260" r="2.5" fill="#fff"/>
  <path d="M155 267C170 245 202 246 215 270" fill="none" stroke="#23130b" stroke-width="4"/>
  <path d="M148 236C160 220 195 218 216 230C195 226 165 228 148 236Z" fill="#2e1b11"
    stroke="#2e1b11" stroke-width="5" filter="url(#soft)"/>`

const half = `<ellipse cx="185" cy="262" rx="42" ry="26" fill="url(#socket)"/>${eye}
  <path d="M226 262C222 300 214 325 210 340C220 356 232 350 240 354" fill="none" stroke="#8f5f48"
    stroke-width="7" stroke-opacity="0.5" filter="url(#softer)"/>
  <path d="M216 349C222 343 230 346 233 352" stroke="#4c2a1d" stroke-width="4" fill="none"/>`

const mouth = `
  <path d="M200 394C215 384 230 380 240 385C250 380 265 384 280 394C265 398 215 398 200 394Z"
    fill="#a4534d"/>
  <path d="M200 394C215 398 265 398 280 394C268 414 212 414 200 394Z" fill="#bd6a62"/>
  <path d="M198 394C220 399 260 399 282 394" stroke="#5e2723" stroke-width="2.5" fill="none"/>`

const hair = `
  <path d="M124 245C120 120 190 85 240 100C300 80 360 120 356 245C345 170 310 150 250 148C190 146
    140 170 124 245Z" fill="#3a2418" filter="url(#soft)"/>`

function portrait({ blush = 0, darkness = 0 }: DrawnFace): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <defs>${shades}</defs><rect width="${width}" height="${height}" fill="url(#back)"/>
    <path d="M60 600C70 520 150 505 185 490L295 490C330 505 410 520 420 600Z" fill="#3f4a63"/>
    <path d="M178 420L178 500C200 540 280 540 302 500L302 420Z" fill="url(#neck)"/>
    <path d="M108 250C90 90 180 50 240 50C300 50 390 90 372 250C380 330 360 360 350 380L130 380C120
      360 100 330 108 250Z" fill="#3a2418" filter="url(#soft)"/>
    <path d="M128 240C126 130 180 105 240 105C300 105 354 130 352 240C354 330 330 400 290 440C265
      462 215 462 190 440C150 400 126 330 128 240Z" fill="url(#skin)" filter="url(#soft)"/>
    ${hair}
    <ellipse cx="178" cy="342" rx="42" ry="38" fill="#d8402f" fill-opacity="${blush}"/>
    <ellipse cx="302" cy="342" rx="42" ry="38" fill="#d8402f" fill-opacity="${blush}"/>
    ${half}<g transform="translate(${width} 0) scale(-1 1)">${half}</g>
    <path d="M240 250C238 290 236 315 240 335" stroke="#fbe0cc" stroke-width="10"
      stroke-opacity="0.6" fill="none" filter="url(#softer)"/>
    ${mouth}
    <rect width="${width}" height="${height}" fill="#000" fill-opacity="${darkness}"/></svg>`
}

/** A picture of the given faces side by side. */
export async function drawFaces(faces: readonly DrawnFace[]): Promise<Buffer> {
  const portraits = await Promise.all(
    faces.map((face) =>
      sharp(Buffer.from(portrait(face)))
        .png()
        .toBuffer(),
    ),
  )
  const canvas = { width: width * Math.max(1, faces.length), height, channels: 3 as const }
  return sharp({ create: { ...canvas, background: '#8b979c' } })
    .composite(portraits.map((input, index) => ({ input, left: index * width, top: 0 })))
    .jpeg({ quality: 88 })
    .toBuffer()
}
