import { refuseField } from '../../kernel/refusals/refuse.ts'

/** Long ones of the lists of stolen passwords; shorter ones are refused by their length. Compared without case. */
const COMMON = new Set(
  `123456123456 123456781234 123456789012 1234567890123 12345678901234 123456789012345 1234567890123456 12345678912345678
  123456789123456789 111111111111 111111111111111 000000000000 000000000000000 987654321987654321 112233445566 121212121212
  123123123123 123123123123123 qwertyuiop12 qwertyuiop123 qwertyuiop12345 qwertyuiopasdf qwertyuiopasdfgh qwertyuiopasdfghjkl
  qwertyqwerty qwertyqwerty123 qwerty123456 qwerty123456789 qwerty1234567890 1q2w3e4r5t6y 1q2w3e4r5t6y7u 1q2w3e4r5t6y7u8i9o0p
  1qaz2wsx3edc 1qaz2wsx3edc4rfv qazwsxedcrfv qazwsxedcrfvtgb zaq12wsxcde3 asdfghjklqwerty zxcvbnmasdfghjkl abcdefghijkl
  abcdefghijklmnop abcdefghijklmnopqrstuvwxyz abcd1234abcd1234 abc123abc123 abc123456789 password1234 password12345 password123456
  password123456789 passwordpassword password1password1 mypassword123 mypassword1234 adminadminadmin administrator administrator1
  administrator123 administrador letmeinletmein letmein123456 welcome123456 changemechangeme changeme123456 iloveyou1234
  iloveyouforever iloveyouiloveyou trustno1trustno1 correcthorsebatterystaple galatasaray1905 fenerbahce1907 besiktas1903
  trabzonspor1967 istanbul1453 turkiye123456 sifre1234567 sifre123456789 parola123456 parola123456789 parolaparola sifresifresifre
  seniseviyorum seniseviyorum123 mustafakemal1881 ataturk18811938 veznevezne12 veznevezne123 vezneveznevezne`.split(
    /\s+/,
  ),
)

const MAX = 200
/** Shorter is enough where a second factor is asked for. */
const MIN = { withFactor: 12, alone: 15 }

/** Length is what counts; there are no rules about kinds of characters. */
export function mustBeGoodPassword(password: string, { name, hasFactor }: { name: string; hasFactor: boolean }): void {
  const { length } = Array.from(password.normalize('NFKC'))
  const min = hasFactor ? MIN.withFactor : MIN.alone
  if (length < min) throw refuseField('password', 'password_too_short', { min })
  if (length > MAX) throw refuseField('password', 'password_too_long', { max: MAX })
  const plain = password.normalize('NFKC').toLowerCase()
  const parts = [name, name.split('@')[0] ?? name].filter((part) => part.length >= 4)
  if (parts.some((part) => plain.includes(part.toLowerCase()))) throw refuseField('password', 'password_has_name')
  if (COMMON.has(plain)) throw refuseField('password', 'password_common')
}
