/** The five accepted formats and their file extensions. */
export const imageExtensions = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'image/gif': 'gif',
  'image/avif': 'avif',
} as const

export type ImageType = keyof typeof imageExtensions

export interface CheckedImage extends PictureSize {
  bytes: Buffer
  mimeType: ImageType
  extension: (typeof imageExtensions)[ImageType]
}

/** A picture as it is shown, turned upright, and the number of its frames. */
export interface PictureSize {
  width: number
  height: number
  frames: number
}
