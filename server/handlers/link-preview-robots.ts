/**
 * What programs call themselves that fetch an address to show a card of it, or to index it, without anybody having asked for the
 * file. Parts of a `User-Agent`, in lower case. Keep it in order; a new one needs nothing else.
 */
const robots: readonly string[] = [
  'applebot',
  'bingbot',
  'bingpreview',
  'bitlybot',
  'cardyb',
  'discordbot',
  'duckduckbot',
  'embedly',
  'facebookcatalog',
  'facebookexternalhit',
  'facebot',
  'flipboardproxy',
  'google-inspectiontool',
  'google-pagerenderer',
  'googlebot',
  'googleimageproxy',
  'iframely',
  'kakaotalk-scrap',
  'line-poker',
  'linkedinbot',
  'mastodon/',
  'mattermost-bot',
  'meta-externalagent',
  'meta-externalfetcher',
  'microsoftpreview',
  'nextcloud server crawler',
  'pinterestbot',
  'qwantify',
  'redditbot',
  'rocket.chat',
  'skypeuripreview',
  'slack-imgproxy',
  'slackbot',
  'snap url preview',
  'synapse (bot;',
  'telegrambot',
  'tumblr/',
  'twitterbot',
  'vkshare',
  'whatsapp',
  'xing-contenttabreceiver',
  'yahoo link preview',
  'yandexbot',
  'zoombot',
];

/** Whether a client is a known link-preview robot. */
export function isLinkPreviewRobot(userAgent: string | null): boolean {
  const name = (userAgent ?? '').toLowerCase();
  return robots.some((robot) => name.includes(robot));
}
