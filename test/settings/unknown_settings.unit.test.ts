import { describe, expect, test } from 'vitest'
import { everySetting } from '../../src/settings/settings.ts'
import { unknownSettings } from '../../src/settings/unknown_settings.ts'

const told = (name: string, inFile: string[] = []) => unknownSettings({ [name]: 'x' }, inFile)

describe('a variable that looks like a setting', () => {
  test.each([
    ['SMTP_URLS', 'SMTP_URL'],
    ['STMP_URL', 'SMTP_URL'],
    ['DATABSE_URL', 'DATABASE_URL'],
    ['LOG_LEVL', 'LOG_LEVEL'],
    ['WEB_CONCURENCY', 'WEB_CONCURRENCY'],
    ['S3_ACCESS_KEY', 'S3_ACCESS_KEY_ID'],
    ['RATE_LIMIT_PER_MIN', 'RATE_LIMIT_PER_MINUTE'],
    ['ENVIROMENT', 'ENVIRONMENT'],
  ])('and is misspelt is named with the one that was meant: %s', (name, meant) => {
    expect(told(name)).toEqual([`${name} is not a setting. Did you mean ${meant}?`])
  })

  test('and begins with a word of ours is named with those of that word', () => {
    expect(told('DATABASE_SCHEMA_NAME')).toEqual([
      'DATABASE_SCHEMA_NAME is not a setting and has no effect. ' +
        'Similar ones: DATABASE_URL, DATABASE_REPLICA_URL, DATABASE_POOL_SIZE.',
    ])
    expect(told('STRIPE_PUBLISHABLE_KEY')).toEqual([
      'STRIPE_PUBLISHABLE_KEY is not a setting and has no effect. ' +
        'Similar ones: STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET.',
    ])
  })

  test('and is of a part that has one is told which', () => {
    const name = 'REDIS_SENTINELS'
    expect(told(name)).toEqual([
      `${name} is not a setting and has no effect. Similar ones: REDIS_URL.`,
    ])
  })

  test('is named once, in alphabetical order with the others', () => {
    const env = { SMTP_URLS: 'x', REDIS_SENTINELS: 'x' }
    expect(unknownSettings(env, ['SMTP_URLS']).map((text) => text.split(' ')[0])).toEqual([
      'REDIS_SENTINELS',
      'SMTP_URLS',
    ])
  })
})

describe('a variable in .env', () => {
  test('is named whatever it looks like', () => {
    expect(told('PORT', ['PORT'])).toEqual(['PORT is not a setting and has no effect.'])
    expect(told('API_TOKEN', ['API_TOKEN'])).toEqual([
      'API_TOKEN is not a setting and has no effect. Similar ones: API_PORT.',
    ])
  })
})

describe('no warning is given', () => {
  test.each([
    'PATH',
    'HOME',
    'PORT',
    'NODE_ENV',
    'NODE_OPTIONS',
    'MAIL',
    'LOGNAME',
    'LANG',
    'TERM',
    'AI_AGENT',
    'API_KEY',
    'WEB_BROWSER',
    'DATA_HOME',
    'PGHOST',
    'AWS_REGION',
    'CI',
    'REDIS_SERVICE_HOST',
    'REDIS_PORT_6379_TCP_ADDR',
    'DATABASE_SERVICE_PORT_HTTP',
  ])('about a variable of another program: %s', (name) => {
    expect(told(name)).toEqual([])
  })

  test('about settings, or empty variables', () => {
    const names = everySetting.map(({ name }) => name)
    expect(unknownSettings(Object.fromEntries(names.map((name) => [name, 'x'])), names)).toEqual([])
    expect(unknownSettings({ REDIS_URL: '', SMTP_URLS: undefined }, ['REDIS_URL'])).toEqual([])
  })
})
