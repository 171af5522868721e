export const levels = ['LOW', 'MEDIUM', 'HIGH'] as const

export type Level = (typeof levels)[number]
