/** Connections to banks, bank files, entered lines. */
export const CONNECTIONS = {}
