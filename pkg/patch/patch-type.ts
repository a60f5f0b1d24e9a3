export type PatchType = 'json' | 'merge' | 'apply' | 'strategic';

/** The media types of patches, as requests name them and discovery and 415 tell them. */
export const PATCH_MEDIA_TYPES: Readonly<Record<PatchType, string>> = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  apply: 'application/apply-patch+yaml',
  strategic: 'application/strategic-merge-patch+json',
};

const TYPES: ReadonlyMap<string, PatchType> = new Map(
  Object.entries(PATCH_MEDIA_TYPES).map(([type, mediaType]) => [mediaType, type as PatchType]),
);

/** Of a Content-Type, whose parameters do not matter; `undefined` when it is no patch's. */
export function patchTypeOf(contentType: string): PatchType | undefined {
  const [mediaType = ''] = contentType.split(';', 1);
  return TYPES.get(mediaType.trim().toLowerCase());
}
