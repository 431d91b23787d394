// Derives the GUID of a viewpoint.

/** Returns the GUID of the viewpoint of a topic: the GUID of the topic with a different first digit. */
export function viewpointGuid(topic: string): string {
  return `${(Number.parseInt(topic[0], 16) ^ 8).toString(16)}${topic.slice(1)}`;
}
