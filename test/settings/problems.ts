import { ConfigError, readConfig } from '../../src/settings/config.ts'

/** What is wrong with these settings, line by line. */
export const problemsOf = (env: Record<string, string | undefined>): string[] => {
  try {
    readConfig(env)
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
  return []
}

/** The least that production needs. */
export const production = {
  ENVIRONMENT: 'production',
  SECRET_KEY: 'k'.repeat(32),
  DATABASE_URL: 'postgres://user:password@db.example/vitrine',
  SMTP_URL: 'smtps://user:password@mail.example',
  MAIL_FROM: 'Shop <hello@shop.example>',
  BASE_URL: 'https://api.shop.example',
  DASHBOARD_URL: 'https://shop.example',
  ADMIN_URL: 'https://admin.shop.example',
  STRIPE_SECRET_KEY: 'sk_live_x',
  STRIPE_WEBHOOK_SECRET: 'whsec_stated_here',
}
