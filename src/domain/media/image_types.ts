/** The five accepted formats and their file extensions. */
export const imageExtensions = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'image/gif': 'gif',
  'image/avif': 'avif',
} as const

export type ImageType = keyof typeof imageExtensions

export interface CheckedImage {
  bytes: Buffer
  mimeType: ImageType
  extension: (typeof imageExtensions)[ImageType]
}
