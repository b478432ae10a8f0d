/** Statement files, entered lines, connections, uploads. */
export const STATEMENTS = {}
