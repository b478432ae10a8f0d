// Asks the device for a passkey and sends its response with the form. Without this script these forms stay hidden.
{
  type Known = { id: string; type: 'public-key'; transports?: AuthenticatorTransport[] }
  type Given = Omit<PublicKeyCredentialCreationOptions, 'challenge' | 'user' | 'excludeCredentials'> & {
    challenge: string
    user: { id: string; name: string; displayName: string }
    excludeCredentials?: Known[]
    allowCredentials?: Known[]
  }

  const decode = (text: string) =>
    Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (one) => one.charCodeAt(0))
  const encode = (bytes: ArrayBuffer) =>
    btoa(Array.from(new Uint8Array(bytes), (one) => String.fromCharCode(one)).join(''))
      .replaceAll('+', '-')
      .replaceAll('/', '_')
      .replaceAll('=', '')
  const listed = (known: Known[] = []) => known.map((one) => ({ ...one, id: decode(one.id) }))

  const ask = (kind: string | undefined, given: Given): Promise<Credential | null> => {
    const { user, excludeCredentials, allowCredentials, ...rest } = given
    const common = { ...rest, challenge: decode(given.challenge) }
    if (kind !== 'create')
      return navigator.credentials.get({ publicKey: { ...common, allowCredentials: listed(allowCredentials) } })
    const own = { ...user, id: decode(user.id) }
    return navigator.credentials.create({
      publicKey: { ...common, user: own, excludeCredentials: listed(excludeCredentials) },
    })
  }

  const written = (credential: Credential | null): string => {
    if (!(credential instanceof PublicKeyCredential)) throw new TypeError('no passkey')
    const { id, type, response } = credential
    const clientDataJSON = encode(response.clientDataJSON)
    const common = { id, rawId: id, type, clientExtensionResults: {} }
    if (response instanceof AuthenticatorAttestationResponse) {
      const attestationObject = encode(response.attestationObject)
      const transports = response.getTransports()
      return JSON.stringify({ ...common, response: { clientDataJSON, attestationObject, transports } })
    }
    const { authenticatorData, signature, userHandle } = response as AuthenticatorAssertionResponse
    const signed = { authenticatorData: encode(authenticatorData), signature: encode(signature) }
    const whose = userHandle && { userHandle: encode(userHandle) }
    return JSON.stringify({ ...common, response: { clientDataJSON, ...signed, ...whose } })
  }

  for (const form of document.querySelectorAll<HTMLFormElement>('form[data-passkey]')) {
    const show = (name: string, isShown: boolean) => {
      for (const one of form.querySelectorAll<HTMLElement>(`[data-${name}]`)) one.hidden = !isShown
    }
    const field = form.querySelector<HTMLInputElement>('input[data-response]')
    const button = form.querySelector('button')
    form.hidden = false
    form.parentElement?.querySelector('[data-without-script]')?.setAttribute('hidden', '')
    if (!field || !button || !('PublicKeyCredential' in window)) {
      show('unsupported', true)
      if (button) button.disabled = true
      continue
    }
    form.addEventListener('submit', (event) => {
      event.preventDefault()
      show('failed', false)
      button.disabled = true
      ask(form.dataset['passkey'], JSON.parse(form.dataset['options'] ?? '{}') as Given)
        .then((credential) => {
          field.value = written(credential)
          form.submit()
        })
        // Refused, taken too long, or known on this device: the person tries again or uses a code.
        .catch(() => {
          button.disabled = false
          show('failed', true)
        })
    })
  }
}
