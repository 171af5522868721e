/** The error object while the database cannot serve. */
export const unavailable = {
  status: 503,
  code: 'unavailable',
  message: 'The service is not available right now. Try again shortly.',
}
