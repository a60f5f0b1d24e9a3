/* Made by hack/confusables.ts, from confusable-homoglyphs 3.3.1 (Unicode's confusables.txt). */

/** Letters after NFKC and in lower case, and the ASCII letters and digits that they or their capitals look like. */
export const CONFUSABLES: readonly [letters: string, ascii: string] = [
  '¢¥©®×ħıƅƍƨƽǀȝȣɑɜɡɣɩɪɯʀʋʏʒʝαβγεζηθικμνορςστυχϝϩϳϻабвгезкмнорстухьѕіјћѡѣѳѵѽҍғҙқҟңҫҭүұҳһҽҿӈӊӎӏӡөԁԍԛԝագզհոռստցքօ۱۵۷०০৪৭੦੧੪૦ଃଠ୦୨௦ం౦ಂ೦ംഠ൦൭ං๐໐တဝ၀ყჿሀዐᏺᏻᏼᐯᑌᑭᑯᑲᑳᒍᒪᒿᕁᕼᕽᖇᖯᖴᗅᗞᗪᗰᗷᙆ᙭᙮ᚷᛁᛕᛖᣖᣳᣴᣵᴄᴏᴑᴜᴠᴡᴢᴦᶃᶌẝỿ₡₩₫₭₮℗℮∣∨∪⊖⊝⊤⋁⋃⋿⍡⍬⍳⍴⍶⍸⍺⏽│╳➀➁➂➃➄➅➆➇➈⟙⤫⤬⨯⨰ⲅⲏⲓⲕⲙⲛⲟⲣⲥⲧⲩⲭⳋⳍⳑⳓⴱⴸⴹⵁⵏⵔⵕⵝ〇ꓐꓑꓒꓓꓔꓖꓗꓙꓚꓜꓝꓟꓠꓡꓢꓣꓦꓧꓪꓫꓬꓮꓰꓲꓳꓴꙅꙇꚕꛟꛯꜱꝛꝫꝯꞙꞟꞵꬲꬵꬽꭇꭈꭎꭒꭓꭚꭰꭱꭲꭴꭵꭹꭺꭻꭼꮁꮃꮇꮋꮍꮎꮐꮒꮓꮜꮞꮟꮢꮤꮥꮩꮪꮮꮯꮲꮶꮷꮻꮾ𐆎𐆖𐆗𐊂𐊆𐊇𐊊𐊐𐊒𐊕𐊖𐊗𐊠𐊡𐊢𐊥𐊫𐊰𐊱𐊲𐊴𐋏𐋵𐌁𐌂𐌉𐌑𐌕𐌗𐌚𐌠𐌢𐐬𐐽𐑃𐑈𐓜𐓪𐓶𐓺𐔓𐔖𐔘𐔜𐔝𐔥𐔦𐔧𑓅𑓐𑜆𑜊𑜎𑜏𑣀𑣁𑣂𑣃𑣄𑣆𑣈𑣉𑣊𑣌𑣎𑣏𑣒𑣕𑣖𑣗𑣘𑣛𑣜𑣠𑣥𑣦𑣩𑣬𑣯𑣲𖼈𖼊𖼖𖼨𖼵𖼺𖼻𖽀𖽂𖽃𝈆𝈍𝈒𝈓𝈖𝈚𝈪🄍🅮🜈🜔🝌🝨',
  'cycrxhibg2sl38a3gyiiwruy3jabyeznoikmvopcotuxf2jma6bre3kmhopctyxbsijhwbovwbr3kkhctyyxheehhmi3odgqwwqqhnnusgfolovoo89o98o8oo9oooooooo9ooooooyouohgbvupdbbjl2xhxrbfaddmbzxxxlkmplrscoouvwzrgyfycwdktpelvuootvuetoipaiallx123456789txxxxrhlkmnopctyx93l6oveoloqxobpddtgkjczfmnlsrvhwxyaelou2ihv2s239fubeforruuxydrtoiyajerwmhyoghzu4brwsvslcpkdo6nxvbeflxopstabcfomtyxhzbclmtx8lxoclsrou7nokcvflxwovwwwvsfiz7oz39e4l69ou5yozwcxwcvtllrs3auy3v7frol0cvoct',
];
