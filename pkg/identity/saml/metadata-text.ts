/** The most bytes of the metadata of a provider. */
export const MOST_METADATA_BYTES = 1024 * 1024;

/** The setting `idp_metadata`: XML in base64, or XML. */
export function metadataText(setting: string): string {
  const text = setting.trim();
  return text.startsWith('<') ? text : Buffer.from(text, 'base64').toString('utf8');
}
