import { istanbulTime } from '../../kernel/istanbul.ts'

/** A FAST payment as TR Karekod (version 10): what a bank's app fills in. It carries no description. */
export type Karekod = {
  /** Of the institution that may produce it: four digits, the EFT code. */
  producer: string
  /** 12 characters at most. */
  reference: string
  /** In kuruş. */
  amount: bigint
  iban: string
  title: string
  /** 32 hexadecimal digits. */
  uniqueId: string
  /** Without a period it is static. */
  period?: { from: Date; until: Date }
}

const MAX_TITLE = 26

/** Fields of a two-digit tag, a two-digit length and a value, closed by a checksum. */
export function karekodText({ producer, reference, amount, iban, title, uniqueId, period }: Karekod): string {
  const recipient = [field('01', iban), field('07', asciiTitle(title)), field('10', '03')].join('')
  const text = [
    field('75', '10'),
    field('01', period ? '12' : '11'),
    field('02', producer),
    field('03', reference.padStart(12, '0')),
    ...(period ? [field('06', compactTime(period.from)), field('07', compactTime(period.until))] : []),
    field('54', amount.toString().padStart(12, '0')),
    field('61', recipient),
    field('20', uniqueId),
    '6304',
  ].join('')
  return text + checksum(text)
}

function field(tag: string, value: string): string {
  return `${tag}${String(value.length).padStart(2, '0')}${value}`
}

function asciiTitle(title: string): string {
  const plain = title.normalize('NFKD').replaceAll('ı', 'i').toUpperCase()
  return plain
    .replace(/[^\u0020-\u007e]/g, '')
    .slice(0, MAX_TITLE)
    .trim()
}

/** yyMMddHHmmss, Istanbul time. */
function compactTime(date: Date): string {
  return istanbulTime(date).slice(2).replace(/\D/g, '')
}

/** CRC-16/CCITT-FALSE over everything before it, its own tag and length included. */
function checksum(text: string): string {
  let crc = 0xffff
  for (const byte of Buffer.from(text, 'latin1')) {
    crc ^= byte << 8
    for (let bit = 0; bit < 8; bit++) crc = (crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1) & 0xffff
  }
  return crc.toString(16).toUpperCase().padStart(4, '0')
}
