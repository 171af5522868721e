import { describe, expect, test } from 'vitest'
import { clientOf } from '../../src/core/client_addresses.ts'

describe('the part of an address that identifies a client', () => {
  test.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002:ffff::1', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['203.0.113.7:99', 'unknown'],
    ['x', 'unknown'],
    ['', 'unknown'],
  ])('of %s is %s', (address, client) => {
    expect(clientOf(address)).toBe(client)
  })
})
