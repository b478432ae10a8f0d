export type AddressFault =
  | ('characters' | 'unreadable' | 'not_https' | 'not_http' | 'without_host' | 'with_login' | 'ends_with_dot')
  | ('name_not_public' | 'name_not_full' | 'address_not_public' | 'port')

/** What is wrong with an address, for pages in any language. `named`: the host, or the ports that are allowed. */
export type AddressProblem = { readonly fault: AddressFault; readonly named: readonly string[] }

const TEXTS: Record<AddressFault, (named: readonly string[]) => string> = {
  characters: () => 'must not contain spaces, control characters or backslashes',
  unreadable: () => 'is not a web address',
  not_https: () => 'must be https',
  not_http: () => 'must be http or https',
  without_host: () => 'must name a host after //',
  with_login: () => 'must not carry a user name or password',
  ends_with_dot: () => 'must not end its host name with a dot',
  name_not_public: ([host]) => `${host} is not a public name`,
  name_not_full: () => 'must name its host in full, such as hooks.example.com',
  address_not_public: ([address]) => `${address} is not a public address`,
  port: (ports) => `must use port ${ports.slice(0, -1).join(', ')} or ${ports.at(-1)}`,
}

/** For engineers and the log of attempts. */
export function addressText({ fault, named }: AddressProblem): string {
  return TEXTS[fault](named)
}
