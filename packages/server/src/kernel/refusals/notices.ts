/** What the service found and nobody asked for: checks of files, order files, reports, unread lines. */
export const NOTICES = {}
