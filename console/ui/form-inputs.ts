interface Changed<Element> {
  readonly currentTarget: Element;
}

/** Returns functions that tie an input to a part of a form: they return its value, and the listener that changes it. */
export function formInputs<Form>(form: Form, onChange: (form: Form) => void) {
  const set = (key: keyof Form, value: unknown) => onChange({ ...form, [key]: value });
  return {
    typed: (key: keyof Form) => ({
      value: form[key] as string,
      onInput: ({ currentTarget }: Changed<{ readonly value: string }>) => set(key, currentTarget.value),
    }),
    ticked: (key: keyof Form) => ({
      checked: form[key] as boolean,
      onChange: ({ currentTarget }: Changed<{ readonly checked: boolean }>) => set(key, currentTarget.checked),
    }),
    chosen: <Key extends keyof Form>(key: Key) => ({
      value: form[key],
      onChoose: (value: Form[Key]) => set(key, value),
    }),
  };
}
