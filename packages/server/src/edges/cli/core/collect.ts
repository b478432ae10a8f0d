/** For an option that may be given several times. */
export const collect = (one: string, before: string[] = []): string[] => [...before, one]
