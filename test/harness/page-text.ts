/** What a page says, for tests without a browser. */

const unescape = (text: string) => text.replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))

/** The attribute of the first element that has it. */
export function attributeIn(text: string, name: string): string {
  return unescape(new RegExp(`\\s${name}="([^"]*)"`).exec(text)?.[1] ?? '')
}

/** Hidden fields of the form with this action, in their order. */
export function hiddenIn(text: string, action: string): [name: string, value: string][] {
  const form = text.split('<form').find((one) => unescape(one).includes(`action="${action}"`)) ?? ''
  const inputs = (form.split('</form>')[0] ?? '').matchAll(/type="hidden" name="([^"]+)" value="([^"]*)"/g)
  return [...inputs].map(([, name = '', value = '']) => [name, unescape(value)])
}

export const refusalIn = (text: string) => unescape(/class="say bad"[^>]*>([^<]*)/.exec(text)?.[1] ?? '')

/** What a reader sees: neither markup, nor attributes, nor what is written as code. */
export function visibleText(page: string): string {
  const body = page.slice(page.indexOf('<body'))
  const shown = body.replaceAll(/<(script|style|code|pre|datalist)\b[^]*?<\/\1>/g, ' ').replaceAll(/<[^>]*>/g, ' ')
  return unescape(shown).replaceAll(/\s+/g, ' ')
}
