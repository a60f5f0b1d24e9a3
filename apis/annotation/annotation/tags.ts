/** A tag `key:value`. The value is empty if there is none. */
export interface Tag {
  readonly key: string;
  readonly value: string;
}

export function tagOf(text: string): Tag {
  const at = text.indexOf(':');
  if (at < 0) return { key: text.trim(), value: '' };
  return { key: text.slice(0, at).trim(), value: text.slice(at + 1).trim() };
}

export function textOf({ key, value }: Tag): string {
  return value === '' ? key : `${key}:${value}`;
}

/** The tags without blanks around keys and values, each once. Tags without a key and a value are left out. */
export function normalized(tags: readonly string[]): readonly string[] {
  return [...new Set(tags.map((text) => textOf(tagOf(text))).filter((text) => text !== ''))];
}

/** Whether the tag is what a filter asks for: the same key, and the same value if the filter has one. */
export function isTagged(tags: readonly string[], { key, value }: Tag): boolean {
  return tags.some((text) => {
    const tag = tagOf(text);
    return tag.key === key && (value === '' || tag.value === value);
  });
}
