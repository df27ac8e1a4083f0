// Made by tools/basemap from Natural Earth's countries and populated places, 1:50m
// (naturalearthdata.com), which are in the public domain. Do not edit.

extension BaseMap {
  /// The 241 countries: name, longitude, latitude and extent.
  static let countryText: StaticString = #"""
    Antarctica;10688;-7849;678|Russia;10487;6225;610|Canada;-11468;6038;390|China;9833;3574;376|United States;-10096;3858;408|Brazil;-5075;-815;308|Australia;13273;-2515;373|Greenland;-4101;7654;323
    Kazakhstan;7008;4765;255|India;7954;2414;171|Argentina;-6398;-3648;131|Algeria;79;2776;179|Dem. Rep. Congo;2262;-436;135|Mongolia;10206;4677;201|Mexico;-10259;2512;102|Saudi Arabia;4716;2111;149
    Sudan;2958;1438;138|Iran;5315;3410;147|Libya;1739;2725;152|South Africa;2437;-3014;127|Chad;1834;1509;87|Mali;-76;1757;100|Peru;-7287;-1220;79|Angola;1704;-1564;99
    Niger;989;1771;113|Ethiopia;4062;724;122|Colombia;-7236;351;96|Bolivia;-6373;-1769;110|Egypt;3011;2403;103|Mauritania;-1109;1920;103|Pakistan;6661;2837;77|Turkey;3443;3909;134
    Sweden;2006;6684;74|Tanzania;3427;-506;96|Nigeria;877;1114;100|Venezuela;-6673;827;104|Ukraine;3430;4868;102|Namibia;1681;-1903;83|Mozambique;3745;-1290;59|Chile;-6880;-2347;32
    France;282;4805;90|Zambia;2620;-1443;85|Afghanistan;6535;3399;91|Finland;2620;6258;89|Norway;982;6062;52|Myanmar;9645;2123;75|Morocco;-512;3293;65|Spain;-242;4165;76
    Madagascar;4671;-1751;55|S. Sudan;3053;649;81|Botswana;2393;-2285;76|Central African Rep.;2102;667;96|Turkmenistan;5805;3972;89|Uzbekistan;6289;4251;61|Kenya;3741;-8;70|Germany;1062;5163;79
    Thailand;10203;1551;69|Indonesia;11324;-27;81|Iraq;4249;3309;71|Poland;1898;5279;89|Somalia;4433;357;53|Cameroon;1169;493;60|Yemen;4682;1565;78|Paraguay;-5854;-2313;59
    Zimbabwe;2935;-1901;67|Papua New Guinea;14406;-641;62|United Kingdom;-169;5241;43|Belarus;2760;5306;73|Congo;1396;-354;42|Italy;988;4512;47|Vietnam;10501;2159;41|Romania;2454;4582;71
    Oman;5444;1870;45|Côte d'Ivoire;-563;731;53|Japan;13851;3618;41|Burkina Faso;-130;1216;63|Kyrgyzstan;7578;4189;55|Gabon;1174;-86;54|Guinea;-1169;1099;58|Ecuador;-7818;-124;53
    Uganda;3180;-29;42|Ghana;-125;644;39|Lao PDR;10258;2012;39|Iceland;-1859;6471;60|Syria;3859;3527;52|Guyana;-5920;577;37|Uruguay;-5601;-3365;48|New Zealand;16906;-4526;37
    Senegal;-1471;1466;48|Malaysia;11318;247;34|Tunisia;977;3303;31|Cambodia;10506;1273;49|Tajikistan;6981;3893;33|Somaliland;4621;961;54|Nepal;8293;2845;36|Dem. Rep. Korea;12764;4081;33
    Bulgaria;2504;4260;49|Suriname;-5622;411;37|Bangladesh;9026;2456;35|Greece;2164;3949;27|Hungary;1896;4698;49|Nicaragua;-8546;1269;36|Eritrea;3812;1534;30|Austria;1474;4796;36
    Malawi;3410;-1381;20|Czech Rep.;1471;4975;44|Benin;223;1053;29|Latvia;2584;5690;35|Honduras;-8705;1486;41|Korea;12800;3645;29|Ireland;-780;5359;32|Portugal;-767;4144;22
    Cuba;-7565;2035;22|Lithuania;2421;5553;43|Guatemala;-9038;1547;34|Philippines;12146;1703;20|Serbia;2100;4421;30|Azerbaijan;4772;4051;39|Jordan;3653;3056;26|W. Sahara;-1016;2643;26
    Liberia;-980;679;28|Georgia;4409;4195;35|Estonia;2554;5890;38|United Arab Emirates;5378;2352;32|Panama;-8117;846;19|Slovakia;1912;4870;29|Croatia;1667;4565;23|Sierra Leone;-1182;885;24
    Bosnia and Herz.;1763;4457;30|Sri Lanka;8084;732;20|Switzerland;808;4691;28|Netherlands;567;5225;23|Togo;99;871;12|Denmark;921;5617;21|Costa Rica;-8442;1042;20|Dominican Rep.;-7046;1880;25
    Moldova;2827;4771;19|Belgium;440;5083;25|Bhutan;9034;2738;27|Taiwan;12082;2359;14|Armenia;4459;4037;19|Albania;2019;4065;16|Lesotho;2812;-2971;20|Macedonia;2173;4159;24
    Guinea-Bissau;-1483;1231;18|Slovenia;1461;4603;20|Haiti;-7220;1917;11|Burundi;3001;-315;16|Israel;3485;3116;11|Rwanda;2999;-203;17|Eq. Guinea;1039;133;19|Belize;-8869;1750;9
    Djibouti;4244;1129;13|El Salvador;-8927;1384;16|Kuwait;4732;2922;12|Swaziland;3145;-2657;13|Montenegro;1931;4289;16|New Caledonia;16563;-2150;7|Kosovo;2089;4256;15|Timor-Leste;12584;-877;15
    Qatar;5120;2510;8|Lebanon;3611;3422;9|Jamaica;-7733;1816;14|Fiji;17794;-1794;14|Gambia;-1424;1338;7|Falkland Is.;-5860;-5172;9|Fr. S. Antarctic Lands;6933;-4939;9|Puerto Rico;-6646;1822;14
    Palestine;3526;3219;6|Cyprus;3296;3489;12|S. Geo. and S. Sandw. Is.;-3692;-5421;6|Solomon Is.;16018;-965;9|Trinidad and Tobago;-6131;1018;6|Brunei;11449;453;6|N. Cyprus;3360;3524;6|Vanuatu;16691;-1540;5
    Luxembourg;615;4974;7|Bahamas;-7802;2458;6|Siachen Glacier;7722;3540;6|Mauritius;5758;-2028;4|Samoa;-17247;-1358;5|Aland;2004;6026;4|Faeroe Is.;-689;6220;4|Fr. Polynesia;-14948;-1762;3
    Comoros;4334;-1175;2|Cape Verde;-2360;1502;3|Isle of Man;-456;5420;3|Hong Kong;11412;2243;4|São Tomé and Principe;661;25;3|Dominica;-6138;1553;2|Heard I. and McDonald Is.;7356;-5311;3|Bahrain;5054;2597;1
    Andorra;158;4257;3|Saint Lucia;-6098;1387;2|Guam;14472;1343;1|Singapore;10383;136;3|Curaçao;-6890;1215;2|Kiribati;-15737;181;2|Barbados;-5954;1315;2|Palau;13457;752;1
    Micronesia;15823;691;2|Grenada;-6169;1207;1|Antigua and Barb.;-6179;1708;2|St. Vin. and Gren.;-6120;1325;1|Malta;1445;3588;2|Tonga;-17527;-2114;1|St. Pierre and Miquelon;-5632;4685;1|Cayman Is.;-8132;1930;2
    U.S. Virgin Is.;-6478;1774;2|Niue;-16987;-1907;1|Liechtenstein;954;4710;1|Jersey;-213;4922;2|Seychelles;5544;-461;1|Aruba;-7001;1255;1|St. Kitts and Nevis;-6278;1735;1|Turks and Caicos Is.;-7176;2182;2
    Br. Indian Ocean Ter.;7245;-741;1|Indian Ocean Ter.;10566;-1049;1|American Samoa;-17075;-1432;1|N. Mariana Is.;14574;1518;1|Saint Helena;-572;-1597;1|San Marino;1245;4393;1|Marshall Is.;17126;708;1|Anguilla;-6305;1823;1
    Montserrat;-6219;1675;1|Wallis and Futuna Is.;-17812;-1430;1|Bermuda;-6481;3228;1|Guernsey;-258;4946;1|Cook Is.;-15979;-2123;1|British Virgin Is.;-6462;1842;1|St-Martin;-6306;1809;1|Norfolk Island;16795;-2905;1
    Sint Maarten;-6306;1805;1|Pitcairn Is.;-12832;-2437;1|Maldives;7349;417;0|Nauru;16693;-52;0|St-Barthélemy;-6284;1790;1|Macao;11351;2222;1|Monaco;741;4375;1|Ashmore and Cartier Is.;12358;-1243;0
    Vatican;1243;4190;0
    """#

  /// The 1249 places: name, longitude, latitude and zoom.
  static let placeText: StaticString = #"""
    Tokyo;13975;3569;12|Cairo;3125;3005;12|Beijing;11639;3993;12|Moscow;3761;5575;12|Paris;233;4887;12|London;-12;5150;12|Cape Town;1843;-3392;12|Santiago;-7067;-3345;15
    Nairobi;3681;-128;15|Mexico City;-9913;1944;16|Buenos Aires;-5840;-3460;16|Jakarta;10683;-617;16|Bogota;-7409;460;16|Singapore;10385;129;16|Washington, D.C.;-7701;3890;16|New Delhi;7720;2860;16
    New York;-7398;4075;17|Mumbai;7286;1902;17|Rio de Janeiro;-4323;-2292;17|Sydney;15118;-3392;17|Shanghai;12143;3122;20|Los Angeles;-11818;3399;20|Lagos;339;645;20|Miami;-8023;2579;21
    Toronto;-7942;4370;21|Vancouver;-12312;4928;21|Manila;12098;1461;22|Berlin;1340;5252;22|Rome;1248;4190;22|Seoul;12700;3757;25|Lima;-7705;-1205;25|Tehran;5142;3567;25
    Kinshasa;1531;-433;25|Bangkok;10051;1375;25|Madrid;-369;4040;25|Addis Ababa;3870;904;25|Caracas;-6692;1050;25|Dakar;-1748;1472;25|Stockholm;1810;5935;25|Ottawa;-7570;4542;25
    San Francisco;-12242;3777;27|São Paulo;-4663;-2356;30|Ōsaka;13546;3475;30|Istanbul;2901;4111;30|Chicago;-8775;4183;30|Hong Kong;11418;2231;30|Atlanta;-8440;3383;30|Houston;-9534;2982;30
    Melbourne;14497;-3782;30|Chengdu;10407;3067;30|Johannesburg;2803;-2617;30|Auckland;17476;-3685;30|Anchorage;-14990;6122;30|Punta Arenas;-7094;-5316;30|McMurdo Station;16687;-7773;30|Esperanza Station;-5703;-6338;30
    Casey Station;11054;-6629;30|Mirny Station;9301;-6658;30|Taipei;12157;2504;32|Baghdad;4439;3334;32|Riyadh;4677;2464;32|Brasília;-4792;-1578;32|Kabul;6918;3452;32|Athens;2373;3799;32
    Kiev;3051;5044;32|Vienna;1636;4820;32|Tashkent;6929;4131;32|Amsterdam;491;5235;32|Jerusalem;3521;3178;32|Reykjavík;-2195;6415;32|Dhaka;9041;2373;35|Luanda;1323;-884;35
    Khartoum;3253;1559;35|Hanoi;10585;2104;35|Abidjan;-404;532;35|Ankara;3286;3993;35|Algiers;305;3677;35|Dar es Salaam;3927;-680;35|Lisbon;-915;3872;35|Tripoli;1318;3289;35
    Havana;-8237;2313;35|Santo Domingo;-6990;1847;35|Accra;-22;555;35|Kuwait;4798;2937;35|Sanaa;4420;1536;35|Bucharest;2610;4444;35|Asunción;-5764;-2529;35|Warsaw;2100;5225;35
    Quito;-7850;-21;35|La Paz;-6815;-1650;35|Abuja;753;909;35|Harare;3104;-1782;35|Montevideo;-5617;-3486;35|Bamako;-800;1265;35|Kuala Lumpur;10170;317;35|Lusaka;2828;-1541;35
    Helsinki;2493;6018;35|Mogadishu;4536;207;35|København;1256;5568;35|Dublin;-625;5334;35|Monrovia;-1080;631;35|Ulaanbaatar;10691;4792;35|Oslo;1075;5992;35|Riga;2410;5695;35
    Wellington;17478;-4130;35|Astana;7143;5118;35|Canberra;14913;-3528;35|Port Moresby;14719;-946;35|Georgetown;-5817;680;35|Port Vila;16832;-1773;35|Kolkata;8832;2250;37|Bangalore;7756;1297;37
    St. Petersburg;3031;5994;37|Xian;10889;3428;37|Monterrey;-10033;2567;37|Recife;-3492;-807;37|Harbin;12665;4575;37|Salvador;-3848;-1297;37|Casablanca;-762;3360;37|Denver;-10499;3974;37
    Ürümqi;8757;4381;37|Perth;11584;-3195;37|Makkah;3982;2143;37|Dubai;5528;2523;37|Geneva;614;4621;37|Adelaide;13860;-3493;37|Samara;5015;5320;37|Omsk;7340;5499;37
    Irkutsk;10425;5232;37|Murmansk;3310;6897;37|Magadan;15081;5957;37|Darwin;13085;-1243;37|Tromsø;1899;6964;37|Prudhoe Bay;-14867;7029;37|Delhi;7723;2867;40|Karachi;6699;2487;40
    Guangzhou;11332;2315;40|Wuhan;11427;3058;40|Tianjin;11720;3913;40|Chennai;8028;1309;40|Lahore;7435;3156;40|Chongqing;10659;2957;40|Hyderabad;7848;1740;40|Ho Chi Minh City;10669;1078;40
    Barcelona;218;4139;40|Dallas;-9684;3282;40|Shenyeng;12345;4181;40|Pune;7385;1853;40|Chittagong;9180;2233;40|Boston;-7107;4233;40|Guadalajara;-10333;2067;40|Alexandria;2995;3120;40
    Detroit;-8308;4233;40|Rangoon;9616;1679;40|Porto Alegre;-5120;-3005;40|Surat;7284;2120;40|Nanjing;11878;3205;40|Montréal;-7359;4550;40|Fortaleza;-3858;-375;40|Phoenix;-11207;3354;40
    Medellín;-7558;628;40|Changchun;12534;4387;40|Kanpur;8032;2646;40|Tel Aviv-Yafo;3477;3208;40|Curitiba;-4932;-2542;40|Seattle;-12234;4757;40|Jeddah;3922;2152;40|Hangzhou;12017;3025;40
    Kunming;10268;2507;40|Jaipur;7581;2692;40|San Diego;-11718;3282;40|Taiyuan;11254;3788;40|Frankfurt;868;5010;40|Surabaya;11275;-725;40|Jinan;11699;3668;40|Durban;3098;-2986;40
    Zhengzhou;11366;3476;40|Minneapolis;-9325;4498;40|Lanzhou;10379;3606;40|Sapporo;14134;4308;40|Mashhad;5957;3627;40|Nagpur;7909;2117;40|Cali;-7650;340;40|St. Louis;-9024;3864;40
    Puebla;-9820;1905;40|Nanning;10832;2282;40|Belém;-4848;-145;40|Medan;9865;358;40|Maracaibo;-7166;1073;40|Hiroshima;13244;3439;40|Baotou;10982;4065;40|Portland;-12268;4552;40
    Brisbane;15303;-2745;40|Manaus;-6000;-310;40|Qiqihar;12399;4735;40|Córdoba;-6418;-3140;40|Glasgow;-425;5588;40|Calgary;-11408;5108;40|Edmonton;-11350;5355;40|Perm;5625;5800;40
    Volgograd;4450;4871;40|Salt Lake City;-11193;4078;40|Cebu;12390;1032;40|Chihuahua;-10609;2865;40|Honolulu;-15786;2131;40|New Orleans;-9004;3000;40|Trujillo;-7902;-812;40|Winnipeg;-9717;4988;40
    Québec;-7125;4684;40|Cancún;-8683;2117;40|Tomsk;8498;5649;40|Surgut;7343;6126;40|Sevastapol;3346;4460;40|Christchurch;17263;-4354;40|Cusco;-7197;-1353;40|Halifax;-6360;4465;40
    Archangel;4055;6457;40|Antofagasta;-7040;-2365;40|Hotan;7993;3710;40|Yakutsk;12974;6203;40|Lhasa;9110;2965;40|Valdivia;-7325;-3980;40|Trondheim;1042;6342;40|St. John's;-5268;4758;40
    Cayenne;-5233;493;40|Fairbanks;-14771;6484;40|Juneau;-13442;5831;40|Whitehorse;-13505;6072;40|Yellowknife;-11440;6244;40|Nuuk;-5173;6420;40|Prince Rupert;-13033;5432;40|Tiksi;12883;7163;40
    Nome;-16541;6451;40|Churchill;-9417;5877;40|Naujaat;-8628;6653;40|Rothera Station;-6812;-6756;40|Dumont d'Urville Station;13996;-6678;40|Palmer Station;-6405;-6476;40|Pyongyang;12575;3902;42|Damascus;3630;3350;42
    Brussels;433;5084;42|Budapest;1908;4750;42|Prague;1446;5009;42|Sucre;-6526;-1904;42|Tunis;1018;3680;45|Baku;4986;4040;45|Port-au-Prince;-7234;1854;45|Beirut;3551;3387;45
    Minsk;2756;5390;45|Rabat;-684;3403;45|Antananarivo;4751;-1891;45|Yaounde;1151;387;45|Conakry;-1368;953;45|Phnom Penh;10491;1155;45|Lomé;122;613;45|Maputo;3259;-2595;45
    San Salvador;-8920;1371;45|Kampala;3258;32;45|Brazzaville;1528;-426;45|Pretoria;2823;-2570;45|San José;-8409;994;45|Panama City;-7953;897;45|Sofia;2331;4269;45|Ouagadougou;-153;1237;45
    Yerevan;4451;4018;45|Tbilisi;4479;4173;45|Belgrade;2047;4482;45|Dushanbe;6877;3856;45|Amman;3593;3195;45|Guatemala;-9053;1462;45|Ndjamena;1505;1212;45|Tegucigalpa;-8722;1410;45
    Kingston;-7677;1798;45|Naypyidaw;9612;1977;45|Managua;-8627;1215;45|Niamey;211;1352;45|Tirana;1982;4133;45|Kathmandu;8531;2772;45|Bishkek;7458;4288;45|Bangui;1856;437;45
    Freetown;-1324;847;45|Islamabad;7316;3370;45|Cotonou;252;640;45|Vientiane;10260;1797;45|Nouakchott;-1598;1809;45|Muscat;5859;2361;45|Ashgabat;5838;3795;45|Zagreb;1600;4580;45
    Sarajevo;1838;4385;45|Chișinău;2886;4701;45|Lilongwe;3378;-1398;45|Asmara;3893;1533;45|Abu Dhabi;5437;2447;45|Libreville;946;39;45|Vilnius;2532;5468;45|Hargeysa;4407;956;45
    Bloemfontein;2623;-2912;45|Bissau;-1560;1187;45|Tallinn;2473;5943;45|Valletta;1451;3590;45|Maseru;2748;-2932;45|Bandar Seri Begawan;11493;488;45|Windhoek;1708;-2257;45|Paramaribo;-5517;584;45
    Dili;12558;-856;45|Nassau;-7735;2508;45|Nicosia;3337;3517;45|Colombo;7986;693;45|Gaborone;2591;-2465;45|Yamoussoukro;-528;682;45|Suva;17844;-1813;45|Malabo;878;375;45
    Praia;-2352;1492;45|Malé;7350;417;45|Thimphu;8964;2747;45|São Tomé;673;33;45|Honiara;15995;-944;45|Apia;-17174;-1384;45|Hamilton;-6478;3229;45|Nukualofa;-17522;-2114;45
    Victoria;5545;-462;45|Belmopan;-8877;1725;45|Kigali;3006;-195;46|Bratislava;1712;4815;46|Port-of-Spain;-6152;1065;46|Kingstown;-6121;1315;46|Monaco;741;4374;46|Saint John's;-6185;1712;46
    Saint George's;-6174;1205;46|Roseau;-6139;1530;46|Shenzhen;11412;2255;47|Ahmedabad;7258;2303;47|Guiyang;10672;2658;47|Kano;852;1200;47|Zibo;11805;3680;47|Milan;920;4547;47
    Aleppo;3717;3623;47|Fuzhou;11930;2608;47|Changsha;11297;2820;47|Guayaquil;-7992;-222;47|Bandung;10757;-695;47|Nanchang;11588;2868;47|Naples;1424;4084;47|Patna;8513;2563;47
    Goiânia;-4930;-1672;47|Lyon;483;4577;47|Munich;1157;4813;47|Banghazi;2006;3212;47|Zürich;855;4738;47|Xining;10177;3662;47|Valencia;-40;3949;47|Philadelphia;-7517;4000;50
    Qingdao;12033;3609;50|Kaohsiung;12027;2263;50|San Juan;-6613;1844;50|Tampa;-8246;2795;50|Birmingham;-192;5248;50|Manchester;-225;5350;50|Santa Cruz;-6323;-1775;50|Cleveland;-8170;4147;50
    Pittsburgh;-8000;4043;50|Las Vegas;-11522;3621;50|Valencia;-6798;1023;50|Hamburg;1000;5355;50|Palembang;10475;-298;50|Bhopal;7741;2325;50|Coimbatore;7695;1100;50|San Jose;-12185;3730;50
    Cincinnati;-8446;3916;50|Isfahan;5170;3270;50|Sacramento;-12147;3858;50|Shantou;11667;2337;50|Tijuana;-11708;3250;50|Vishakhapatnam;8330;1773;50|Multan;7145;3020;50|San Antonio;-9851;2949;50
    Hyderabad;6837;2538;50|Huainan;11698;3263;50|Davao;12563;711;50|Marseille;537;4329;50|Semarang;11042;-696;50|Novosibirsk;8296;5503;50|Milwaukee;-8792;4305;50|Lubumbashi;2748;-1168;50
    Varanasi;8300;2533;50|Asansol;8698;2369;50|Yekaterinburg;6060;5685;50|Peshawar;7153;3401;50|Jamshedpur;8620;2279;50|Madurai;7812;992;50|Nizhny Novgorod;4400;5633;50|Ujungpandang;11943;-514;50
    Shiraz;5257;2963;50|Seville;-598;3741;50|Amritsar;7487;3164;50|Almaty;7691;4333;50|Raleigh;-7864;3582;50|Newcastle;15182;-3285;50|Kazan;4912;5575;50|Huambo;1576;-1275;50
    Bhilai;8143;2122;50|Memphis;-9000;3512;50|Florianópolis;-4852;-2758;50|Port Elizabeth;2560;-3397;50|Ufa;5604;5479;50|Buffalo;-7888;4288;50|Fez;-500;3406;50|Aden;4501;1278;50
    Yinchuan;10627;3847;50|Donetsk;3783;4800;50|Guilin;11028;2528;50|Mérida;-8962;2097;50|Pingxiang;11385;2762;50|Kozhikode;7577;1125;50|Krasnoyarsk;9286;5602;50|Richmond;-7745;3755;50
    Mendoza;-6882;-3288;50|Concepción;-7305;-3683;50|Cartagena;-7552;1040;50|Mombasa;3969;-404;50|Omaha;-9601;4124;50|Nashville;-8678;3617;50|Bilbao;-293;4325;50|Marrakesh;-800;3163;50
    Palermo;1335;3813;50|Tampico;-9787;2230;50|Padang;10036;-96;50|Valparaíso;-7162;-3305;50|Bhubaneshwar;8583;2027;50|Thessaloniki;2288;4070;50|Bordeaux;-60;4485;50|Oran;-62;3571;50
    Oklahoma City;-9752;3547;50|Campo Grande;-5462;-2045;50|Ciudad Guayana;-6262;837;50|Gdańsk;1864;5436;50|Sokoto;524;1306;50|Acapulco;-9992;1685;50|Kandahar;6569;3161;50|Samarqand;6694;3967;50
    Bulawayo;2858;-2017;50|Enugu;750;645;50|Kikwit;1885;-503;50|Dresden;1375;5105;50|Luxor;3265;2570;50|Bandjarmasin;11458;-333;50|Barnaul;8375;5335;50|Vladivostok;13191;4313;50
    Veracruz;-9616;1918;50|Mar del Plata;-5758;-3800;50|Kashgar;7597;3948;50|Beira;3487;-1982;50|Gold Coast;15345;-2808;50|Macapá;-5105;3;50|Port Sudan;3722;1962;50|Feira de Santana;-3897;-1225;50
    Tuxtla Gutiérrez;-9315;1675;50|Qaraghandy;7312;4988;50|Belfast;-596;5460;50|San Cristóbal;-7225;777;50|Nagasaki;12989;3276;50|Kaliningrad;2050;5470;50|Kolwezi;2547;-1072;50|Zanzibar;3920;-616;50
    Kassala;3639;1546;50|Niyala;2489;1206;50|Iloilo;12255;1071;50|Des Moines;-9362;4158;50|Xichang;10230;2788;50|Mazatlán;-10642;2322;50|Posadas;-5589;-2736;50|Boise;-11623;4361;50
    Maroua;1432;1060;50|Chita;11347;5206;50|Hami;9352;4283;50|Mbeya;3343;-889;50|Victoria;-12335;4843;50|Bahía Blanca;-6227;-3874;50|Tacna;-7025;-1800;50|Ica;-7573;-1407;50
    Jackson;-9018;3230;50|Bratsk;10162;5616;50|Matadi;1345;-582;50|Le Havre;10;4950;50|Boa Vista;-6067;282;50|Santarém;-5470;-243;50|Zinder;898;1380;50|Iquique;-7013;-2025;50
    Groznyy;4570;4332;50|Nacala;4072;-1452;50|Bergen;532;6039;50|Saskatoon;-10667;5217;50|Tarakan;11763;330;50|Petropavlovsk Kamchatskiy;15862;5306;50|Atyrau;5192;4711;50|Regina;-10462;5045;50
    Puerto Montt;-7293;-4147;50|Marabá;-4912;-535;50|Bumba;2246;219;50|Abéché;2083;1384;50|Gondar;3746;1261;50|Cairns;14576;-1689;50|Jiayuguan;9830;3982;50|Hamilton;17529;-3778;50
    Comodoro Rivadavia;-6750;-4587;50|Dunhuang;9466;4014;50|Townsville;14677;-1925;50|Caxias;-4335;-483;50|Wau;2799;770;50|Ghardaia;367;3249;50|Agadez;798;1700;50|Dunedin;17049;-4589;50
    Port-Gentil;878;-72;50|Golmud;9488;3642;50|Sabha;1443;2703;50|Thunder Bay;-8927;4845;50|Santa Fe;-10594;3569;50|Río Gallegos;-6922;-5163;50|Hobart;14730;-4285;50|Xigaze;8888;2925;50
    Erdenet;10412;4905;50|Tamanrasset;552;2279;50|Riberalta;-6610;-1098;50|Cheyenne;-10482;4114;50|Timbuktu;-302;1677;50|Ji-Paraná;-6197;-1083;50|Bismarck;-10078;4681;50|Vilhena;-6012;-1272;50
    Leticia;-6996;-420;50|Napier;17693;-3949;50|Cruzeiro do Sul;-7267;-763;50|Atar;-1305;2052;50|Charlottetown;-6313;4625;50|Eureka;-12415;4080;50|Helena;-11204;4659;50|Djenné;-455;1390;50
    Dubbo;14860;-3226;50|Blenheim;17395;-4151;50|Alice Springs;13388;-2370;50|Geraldton;11460;-2877;50|Albany;11789;-3502;50|Dongola;3048;1917;50|Grootfontein;1812;-1957;50|Whyalla;13756;-3303;50
    Griffith;14604;-3429;50|Pierre;-10035;4437;50|Broome;12223;-1796;50|Menongue;1770;-1467;50|Obo;2650;540;50|Portland;14159;-3834;50|Ndele;2065;841;50|Anadyr;17747;6474;50
    Kodiak;-15241;5779;50|Bethel;-16176;6079;50|Mitú;-7017;120;50|Utqiaġvik;-15679;7129;50|Valdez;-14635;6114;50|Palana;15995;5908;50|Puerto Deseado;-6590;-4775;50|Stanley;-5785;-5170;50
    Nain;-6169;5655;50|Dikson;8055;7351;50|Arctic Bay;-8517;7303;50|Fort Good Hope;-12863;6627;50|Point Hope;-16681;6835;50|Nizhneyansk;13607;7143;50|Resolute;-9490;7468;50|AmundseniScott South Pole Station;17699;-9000;50
    Cold Bay;-16272;5520;50|Windorah;14265;-2543;50|Marambio Base;-5665;-6423;50|Base Presidente Montalva;-5891;-6218;50|Fort Severn;-8765;5598;50|Great Wall Station;-5897;-6222;50|Belo Horizonte;-4392;-1991;51|Nagoya;13691;3516;51
    Dalian;12163;3892;51|Ibadan;393;738;51|İzmir;2715;3844;51|George Town;10033;541;51|Wenzhou;12065;2802;51|Sendai;14102;3829;51|Zaozhuang;11757;3488;51|Ningbo;12155;2988;51
    Kyoto;13575;3503;51|Hohhot;11166;4082;51|Daqing;12500;4658;51|Handan;11448;3658;51|Bursa;2907;4020;51|Kansas City;-9461;3911;51|Daejeon;12742;3634;51|Kharkiv;3625;5000;51
    Doha;5153;2529;51|Ft. Worth;-9734;3274;51|Indianapolis;-8617;3975;51|Tabriz;4630;3809;51|Orlando;-8138;2851;51|Adana;3532;3700;51|Rosario;-6067;-3295;51|Austin;-9774;3027;51
    Chelyabinsk;6144;5516;51|Rostov;3971;4724;51|Dnipro;3500;4848;51|Jiamusi;13035;4683;51|Medina;3958;2450;51|Ahvaz;4872;3128;51|Odessa;3071;4649;51|Jacksonville;-8167;3033;51
    Djibouti;4315;1160;51|Naha;12767;2621;51|Albuquerque;-10664;3510;51|Basra;4781;3052;51|Cardiff;-323;5150;51|Voronezh;3927;5173;51|Saratov;4603;5158;51|Tucson;-11089;3221;51
    Cuiabá;-5609;-1557;51|Lvov;2403;4983;51|Kraków;1996;5006;51|Rochester;-7762;4317;51|El Paso;-10651;3178;51|Taizz;4404;1361;51|Kolhapur;7422;1670;51|Shaoguan;11358;2480;51
    Andijon;7234;4079;51|Krasnodar;3900;4502;51|Genoa;893;4441;51|Fresno;-11977;3675;51|Yaroslavl;3987;5762;51|Kirkuk;4439;3547;51|Port Louis;5750;-2017;51|Manama;5058;2624;51
    Santiago de Cuba;-7582;2003;51|Orenburg;5511;5178;51|Novokuznetsk;8711;5375;51|Oaxaca;-9667;1708;51|Penza;4500;5318;51|Edinburgh;-322;5595;51|Astrakhan;4805;4635;51|Bari;1687;4111;51
    Skopje;2143;4200;51|Herat;6217;3433;51|Kemerovo;8609;5534;51|Pristina;2117;4267;51|Iquitos;-7325;-375;51|Mazar-e Sharif;6710;3670;51|Kirov;4967;5859;51|Nantes;-159;4721;51
    Welkom;2673;-2797;51|Bryansk;3443;5326;51|Magnitogorsk;5898;5342;51|Yining;8135;4390;51|Nizhny Tagil;5997;5792;51|Las Palmas;-1543;2810;51|Spokane;-11742;4767;51|Bujumbura;2936;-338;51
    Reno;-11982;3953;51|Sochi;3973;4359;51|Smolensk;3205;5478;51|Bukhara;6443;3978;51|Ljubljana;1451;4606;51|Pucallpa;-7453;-837;51|Porto Velho;-6390;-875;51|Brest;2370;5210;51
    Vologda;3992;5921;51|Bern;747;4692;51|Venice;1233;4544;51|Malmö;1303;5558;51|Nancy;620;4868;51|Petrozavodsk;3428;6185;51|Tampere;2375;6150;51|Neuquén;-6806;-3895;51
    Pondicherry;7983;1193;51|Pskov;2833;5783;51|Kushiro;14437;4297;51|Bridgetown;-5962;1310;51|Gibraltar;-538;3613;51|Savannah;-8111;3202;51|Mary;6183;3760;51|Yuzhno Sakhalinsk;14274;4696;51
    Nzérékoré;-883;776;51|Fargo;-9679;4688;51|Wilmington;-7795;3423;51|Gejiu;10315;2338;51|Podgorica;1927;4247;51|Goma;2922;-168;51|Topeka;-9567;3905;51|Charleston;-8163;3835;51
    Gao;-5;1627;51|Toliara;4369;-2336;51|Kankan;-931;1039;51|Juba;3158;483;51|Santa Rosa;-6430;-3662;51|Houma;11121;3562;51|Mbabane;3113;-2632;51|Sault Ste. Marie;-8435;4650;51
    Sundsvall;1732;6240;51|Flagstaff;-11165;3520;51|Vaasa;2160;6310;51|Hilo;-15509;1970;51|Luleå;2216;6560;51|Banjul;-1659;1345;51|Mirnyy;11396;6254;51|Castries;-6100;1400;51
    Kalgoorlie;12146;-3074;51|Rovaniemi;2572;6650;51|Mount Isa;13949;-2072;51|Rawson;-6510;-4330;51|Basseterre;-6272;1730;51|Fort St. John;-12083;5625;51|Middelburg;2501;-3150;51|Broken Hill;14143;-3195;51
    Port Hedland;11861;-2031;51|Hammerfest;2369;7066;51|Sitka;-13533;5706;51|Iqaluit;-6850;6375;51|Okhotsk;14322;5938;51|Sisimiut;-5367;6695;51|Zhigansk;12337;6677;51|Dawson City;-13942;6407;51
    Upernavik;-5614;7271;51|Fort Smith;-11188;6000;51|Narsarsuaq;-4542;6117;51|Moroni;4324;-1170;55|Luxembourg;613;4961;55|Andorra;152;4250;55|Tarawa;17302;134;55|Majuro;17138;710;55
    Melekeok;13463;749;55|Funafuti;17922;-852;55|Palikir;15815;692;55|Dongguan;11374;2305;56|Busan;12901;3510;56|Fukuoka;13041;3360;56|Campinas;-4710;-2290;56|Lucknow;8091;2686;56
    Taichung;12068;2415;56|Incheon;12664;3748;56|Xiamen;11808;2445;56|Jinxi;12083;4075;56|Shijianzhuang;11448;3805;56|Jilin;12655;4385;56|Omdurman;3248;1562;56|Baltimore;-7662;3930;56
    Nanchong;10613;3078;56|Yantai;12140;3753;56|Xuzhou;11718;3428;56|Linyi;11833;3508;56|Hefei;11728;3185;56|Indore;7586;2272;56|Haiphong;10668;2083;56|Suzhou;11698;3364;56
    Nanyang;11253;3300;56|Douala;971;406;56|Barranquilla;-7480;1096;56|Vadodara;7318;2231;56|Wuxi;12030;3158;56|San Bernardino;-11730;3412;56|Suzhou;12062;3130;56|Ludhiana;7587;3093;56
    Anshan;12294;4112;56|Agra;7801;2717;56|Zhanjiang;11038;2120;56|Khulna;8956;2284;56|Santiago;-7067;1950;56|Kochi;7622;1002;56|Gujranwala;7418;3216;56|Florence;1125;4378;56
    León;-10170;2115;56|Nasik;7378;2000;56|Neijiang;10505;2958;56|Quanzhou;11858;2490;56|Kaduna;744;1052;56|Gwangju;12691;3517;56|The Hague;427;5208;56|Meerut;7770;2900;56
    Mianyang;10477;3147;56|Faridabad;7731;2844;56|Ghaziabad;7741;2866;56|Mosul;4314;3635;56|Mandalay;9608;2197;56|Mbuji-Mayi;2360;-615;56|Jabalpur;7995;2318;56|Chifeng;11895;4227;56
    Huaiyin;11903;3358;56|Rajkot;7080;2231;56|Dhanbad;8642;2380;56|Tianshui;10592;3460;56|Lupanshui;10483;2660;56|Vila Velha;-4032;-2037;56|Allahabad;8184;2546;56|Benin City;562;634;56
    Maceió;-3573;-962;56|Torreón;-10342;2557;56|Srinagar;7481;3410;56|Vijayawada;8063;1652;56|Yulin;11015;2263;56|Aurangabad;7532;1990;56|Ankang;10902;3268;56|Natal;-3524;-578;56
    Sholapur;7590;1767;56|Ranchi;8533;2337;56|São Luís;-4427;-251;56|Port Harcourt;701;481;56|Bridgeport;-7320;4118;56|Hengyang;11259;2688;56|Da Nang;10825;1606;56|Baoshan;9915;2512;56
    Jodhpur;7301;2629;56|San Luis Potosí;-10100;2217;56|Guwahati;9177;2616;56|Chandigarh;7678;3072;56|Gwalior;7818;2623;56|Jixi;13097;4530;56|Thiruvananthapuram;7695;850;56|Ogbomosho;424;813;56
    Tiruchirappalli;7869;1081;56|General Santos;12517;611;56|Tulsa;-9593;3612;56|Konya;3247;3788;56|Teresina;-4278;-509;56|Maiduguri;1316;1185;56|Hubli;7512;1536;56|Mysore;7666;1231;56
    Mexicali;-11548;3265;56|Tongliao;12227;4362;56|Raipur;8163;2124;56|Salem;7818;1167;56|Bandar Lampung;10527;-543;56|Jullundur;7557;3134;56|Warri;576;552;56|Tucumán;-6522;-2681;56
    Kota;7583;2518;56|Yueyang;11310;2938;56|Arequipa;-7153;-1642;56|Rajshahi;8860;2438;56|Culiacán;-10738;2483;56|Aligarh;7806;2789;56|Malang;11261;-798;56|Jammu;7484;3271;56
    Moradabad;7875;2884;56|Mangalore;7485;1290;56|Zamboanga;12208;692;56|Quetta;6702;3022;56|Kananga;2240;-589;56|St. Paul;-9308;4494;56|Catania;1508;3750;56|An Najaf;4434;3200;56
    Syracuse;-7615;4305;56|Pointe-Noire;1188;-477;56|Knoxville;-8392;3597;56|Ulyanovsk;4841;5433;56|Bur Said;3229;3126;56|Nanded;7730;1917;56|Samsun;3634;4128;56|Constantine;660;3636;56
    Hermosillo;-11095;2910;56|Nagano;13817;3665;56|Blantyre;3499;-1579;56|Cuttack;8589;2047;56|Khabarovsk;13512;4845;56|Kisangani;2522;52;56|Quetzaltenango;-9152;1483;56|Kuching;11033;153;56
    Bouaké;-503;769;56|Uberlândia;-4828;-1890;56|Sorocaba;-4747;-2349;56|Surakarta;11083;-756;56|Ribeirão Preto;-4783;-2117;56|Tabuk;3655;2838;56|Matamoros;-9750;2588;56|Hamadan;4852;3480;56
    Vancouver;-12264;4563;56|Ryazan;3972;5462;56|Tyumen;6553;5714;56|Banda Aceh;9532;555;56|Salta;-6542;-2478;56|Suez;3255;3000;56|Gaza;3445;3153;56|Annaba;776;3692;56
    Akola;7701;2071;56|Mwanza;3293;-252;56|Colorado Springs;-10479;3886;56|Wuwei;10264;3793;56|Santa Fe;-6069;-3162;56|Saharanpur;7755;2997;56|Gulbarga;7682;1735;56|Yazd;5437;3192;56
    Shymkent;6960;4232;56|Bandar-e-Abbas;5627;2720;56|Baguio City;12057;1643;56|San Juan;-6852;-3155;56|Balikpapan;11683;-125;56|Bamenda;1015;596;56|Wuzhou;11132;2348;56|Garoua;1339;930;56
    Laredo;-9951;2751;56|Baton Rouge;-9114;3046;56|Asyut;3118;2719;56|Huancayo;-7520;-1208;56|Oujda;-191;3469;56|Kitwe;2822;-1281;56|Tver;3589;5686;56|Columbia;-8090;3404;56
    Chiang Mai;9898;1880;56|Piura;-8063;-521;56|El Obeid;3022;1318;56|Nampula;3929;-1514;56|Misratah;1510;3238;56|Pasto;-7728;121;56|Caxias do Sul;-5117;-2918;56|Vigo;-873;4222;56
    Manizales;-7552;506;56|Manukau;17488;-3700;56|Shache;7725;3843;56|Gorontalo;12307;55;56|Larkana;6821;2756;56|Stavropol;4198;4505;56|Bhagalpur;8698;2523;56|Ulan Ude;10762;5182;56
    Bobo Dioulasso;-429;1118;56|Taraz;7136;4290;56|Ambon;12820;-372;56|Safi;-924;3232;56|Eldoret;3527;52;56|Chimbote;-7857;-907;56|Nuevo Laredo;-9955;2750;56|Merida;-7113;840;56
    Arusha;3667;-336;56|Chitungwiza;3110;-1800;56|East London;2787;-3297;56|Kōchi;13354;3356;56|Nakhon Ratchasima;10210;1500;56|Montes Claros;-4386;-1672;56|Wonsan;12743;3916;56|Pavlodar;7695;5230;56
    Sousse;1063;3583;56|Iași;2757;4717;56|Miyazaki;13142;3192;56|Córdoba;-477;3788;56|Ciudad del Este;-5462;-2552;56|Pelotas;-5233;-3175;56|Oskemen;8261;4999;56|El Faiyum;3084;2931;56
    Aswan;3290;2409;56|Semey;8028;5043;56|Vitória da Conquista;-4084;-1485;56|Naltchik;4362;4350;56|Constanța;2861;4420;56|Hakodate;14074;4179;56|Qyzylorda;6546;4480;56|Porto-Novo;262;648;56
    Makurdi;853;773;56|Ponta Grossa;-5016;-2509;56|Sinuiju;12442;4009;56|Cuenca;-7900;-290;56|Butembo;2928;13;56|Kupang;12358;-1018;56|Zhytomyr;2866;5025;56|Kaolack;-1610;1415;56
    Corpus Christi;-9740;2774;56|Mbandaka;1826;4;56|Aqtobe;5717;5028;56|Petrolina;-4051;-938;56|Rio Branco;-6780;-997;56|Dire Dawa;4186;959;56|Morogoro;3766;-682;56|Shreveport;-9377;3250;56
    Angarsk;10392;5256;56|Berbera;4502;1044;56|Ulanhot;12208;4608;56|Türkmenabat;6358;3911;56|Maradi;710;1349;56|Hailar;11970;4920;56|Zhangye;10045;3893;56|Nukus;5962;4247;56
    Salem;-12302;4493;56|Colima;-10372;1923;56|Formosa;-5818;-2617;56|Blagoveshchensk;12753;5027;56|Tallahassee;-8428;3045;56|Dodoma;3575;-618;56|Laoag;12059;1820;56|Bahir Dar;3738;1160;56
    Kalemie;2920;-593;56|Campeche;-9050;1983;56|Montgomery;-8628;3236;56|St.-Denis;5545;-2088;56|La Paz;-11032;2414;56|Kabwe;2845;-1444;56|Quelimane;3689;-1788;56|Parakou;262;934;56
    Laayoune;-1320;2715;56|Ternate;12736;79;56|Arica;-7029;-1850;56|Fianarantsoa;4708;-2143;56|Amarillo;-10183;3523;56|Santa Barbara;-11972;3443;56|Zuwarah;1208;3293;56|Sittwe;9288;2014;56
    Nogales;-11094;3131;56|Bose;10661;2390;56|George;2245;-3395;56|Jayapura;14070;-253;56|Abakan;9145;5370;56|Norilsk;8822;6934;56|Livingstone;2586;-1786;56|Geneina;2244;1345;56
    Malakal;3166;954;56|Tarija;-6475;-2152;56|Barreiras;-4500;-1214;56|Surat Thani;9934;915;56|Olympia;-12290;4704;56|Moundou;1609;855;56|Yulin;10973;3828;56|Sioux Falls;-9673;4355;56
    Beian;12648;4824;56|Battambang;10320;1310;56|Mahajanga;4635;-1567;56|La Serena;-7125;-2990;56|Mufulira;2826;-1255;56|Benguela;1341;-1258;56|Gulu;3228;278;56|Los Angeles;-7236;-3746;56
    Altay;8812;4787;56|Shizuishan;10677;3923;56|Namibe;1216;-1519;56|Papeete;-14957;-1753;56|Lae;14699;-673;56|Tete;3358;-1617;56|Copiapó;-7034;-2736;56|Xai-Xai;3364;-2504;56
    Ekibastuz;7532;5173;56|Worcester;1944;-3364;56|Malanje;1634;-954;56|Lubango;1349;-1491;56|Rudny;6313;5295;56|Ségou;-626;1344;56|Bandundu;1738;-331;56|Tahoua;526;1490;56
    Sri Jawewardenepura Kotte;7995;690;56|Kandy;8067;728;56|Pemba;4053;-1298;56|Mzuzu;3402;-1146;56|David;-8243;843;56|Siem Reap;10385;1337;56|Kyzyl;9438;5171;56|Raba;11877;-845;56
    Assab;4273;1301;56|Billings;-10854;4579;56|Guaymas;-11089;2793;56|Sakata;13985;3892;56|Ust-Ulimsk;10263;5799;56|Corumbá;-5765;-1902;56|Mekele;3947;1350;56|San Carlos de Bariloche;-7130;-4115;56
    Burlington;-7321;4448;56|Francistown;2750;-2117;56|Ebolowa;1115;290;56|Parepare;11963;-402;56|Nouadhibou;-1706;2090;56|Puerto Limon;-8303;1000;56|Trinidad;-6490;-1483;56|Antsiranana;4931;-1228;56
    Bendigo;14428;-3676;56|Atakpamé;112;753;56|Vorkuta;6401;6750;56|Kayes;-1144;1445;56|Mandurah;11575;-3252;56|Missoula;-11399;4687;56|Upington;2123;-2846;56|Türkmenbaşy;5297;4002;56
    Putrajaya;10170;291;56|Great Falls;-11130;4750;56|Rockhampton;15052;-2336;56|Kristiansand;800;5817;56|Kasongo;2666;-445;56|Kayes;1328;-418;56|Tanjungpandan;10765;-275;56|Bambari;2067;576;56
    Ponta Delgada;-2567;3775;56|Casper;-10631;4287;56|Mt. Hagen;14422;-586;56|Puerto Ayacucho;-6762;566;56|Walvis Bay;1451;-2296;56|Mahalapye;2682;-2310;56|North Bay;-7945;4630;56|Serowe;2671;-2239;56
    Meru;3764;6;56|Coihaique;-7207;-4557;56|Franceville;1358;-163;56|Alta Floresta;-5591;-990;56|Goroka;14539;-608;56|Minot;-10130;4823;56|Orange;14910;-3328;56|Sydney;-6018;4607;56
    Timmins;-8133;4847;56|Durazno;-5651;-3341;56|Choybalsan;11451;4807;56|Dund-Us;9163;4802;56|San Marino;1244;4394;56|Cottica;-5423;385;56|Brandon;-9995;4983;56|Colíder;-5545;-1082;56
    Okha;14295;5357;56|Lensk;11495;6073;56|Freeport;-7870;2653;56|Aldan;12539;5860;56|Al Jawf;2329;2420;56|Augusta;-6978;4431;56|Armidale;15167;-3051;56|Fort McMurray;-11138;5673;56
    Kaédi;-1350;1615;56|Devonport;14633;-4119;56|Elko;-11576;4083;56|Karratha;11687;-2073;56|Dispur;9177;2614;56|International Falls;-9341;4860;56|Lüderitz;1516;-2665;56|Dalandzadgad;10444;4358;56
    Wangaratta;14630;-3636;56|Thompson;-9787;5575;56|Port Lincoln;13587;-3473;56|Pago Pago;-17071;-1428;56|Santa Cruz;-9035;-53;56|Springbok;1788;-2967;56|Labrador City;-6692;5294;56|Alvorada;-4908;-1247;56
    Busselton;11535;-3366;56|Katherine;13227;-1447;56|Ust Nera;14320;6457;56|Dalnegorsk;13552;4454;56|Rabaul;15214;-421;56|El Calafate;-7230;-5033;56|Peace River;-11728;5623;56|Batagay;13464;6766;56
    Bukachacha;11692;5298;56|Ugolnye Kopi;17770;6473;56|Khatanga;10247;7204;56|Chokurdakh;14789;7062;56|Arviat;-9406;6111;56|Igloolik;-8179;6926;56|Cambridge Bay;-10503;6912;56|Ayoun el Atrous;-962;1667;56
    Kugluktuk;-11513;6780;56|Kuujjuaq;-6840;5810;56|Kuujjuarapik;-7777;5528;56|Taloyoak;-9353;6953;56|Qaanaaq;-6933;7748;56|Tmassah;1580;2637;56|Chesterfield Inlet;-9070;6334;56|Dulan;9827;3617;56
    Ambarchik;16233;6965;56|Norfolk;-7628;3685;57|Turin;767;4507;60|Lille;308;5065;60|Toulouse;145;4362;60|Macau;11355;2220;60|Matsuyama;13277;3385;60|Rouen;108;4943;60
    Strasbourg;775;4858;60|El Fasher;2535;1363;60|Clermont-Ferrand;308;4578;60|Rennes;-167;4810;60|Funchal;-1688;3265;60|Dijon;503;4733;60|Batumi;4163;4160;60|Agana;14475;1347;60
    Nouméa;16644;-2226;60|Sukhumi;4102;4302;60|Swakopmund;1454;-2267;60|Keetmanshoop;1813;-2657;60|Lobamba;3120;-2647;60|Longyearbyen;1555;7822;60|Bir Lehlou;-965;2612;60|Bologna;1134;4450;61
    Gifu;13676;3542;61|Montpellier;387;4361;61|Cagliari;910;3922;61|Novi Sad;1985;4525;61|Banja Luka;1718;4478;61|Orléans;190;4790;61|Reims;403;4925;61|Trento;1112;4608;61
    Ancona;1350;4360;61|Ajaccio;873;4193;61|Belgrano II Base;-3462;-7787;61|King Sejong Station;-5877;-6222;61|Davis Station;7814;-6878;61|Novolazarevskaya Station;-1185;-7130;61|Halley Station;-2647;-7609;61|Maitri Station;1173;-7078;61
    Carlini Base;-5865;-6222;61|Zhongshan Station;7634;-6943;61|Mawson Station;6288;-6761;61|Showa Station;3975;-6903;61|Orcadas Station;-4473;-6073;61|Troll Station;253;-7202;61|Gen. O'Higgins Base;-5789;-6333;61|Capitan Arturo Prat Station;-5968;-6250;61
    Neumayer Station III;-784;-7089;61|Sobral Base;-4050;-8118;61|Escudero Base;-5895;-6219;61|San Martín Base;-6710;-6812;61|Aboa Station;-1342;-7505;61|Wasa Station;-1342;-7305;61|Svea Station;-1122;-7458;61|Signy Research Station;-4560;-6063;61
    Elephant Island;-5800;-6200;61|Peter I Island;-9060;-6876;61|Vaduz;952;4713;62|Vatican City;1245;4190;65|Mbale;3417;109;67|Jinja;3320;44;67|Fort-de-France;-6108;1461;67|Arua;3090;302;67
    Trieste;1380;4565;67|Caen;-35;4918;67|Limoges;125;4583;67|Perugia;1239;4311;67|Willemstad;-6902;1220;67|Amiens;230;4990;67|Catanzaro;1660;3890;67|Chipata;3264;-1363;67
    Poitier;33;4658;67|Mbarara;3065;-60;67|Oranjestad;-7003;1253;67|L'Aquila;1339;4235;67|Masaka;3173;-33;67|Douglas;-448;5415;67|Otjiwarongo;1664;-2046;67|Saint-Laurent-du-Maroni;-5403;550;67
    Grand Turk;-7114;2147;67|George Town;-8133;1928;67|Moroto;3464;254;67|Basse-terre;-6171;1601;67|Scott Base;16675;-7785;67|Zucchelli Station;16422;-7462;67|Concordia Research Station;12417;-7467;67|Vostok;10680;-7847;67
    Besançon;603;4723;70|Bombo;3253;58;70|Potenza;1580;4064;70|Campobasso;1466;4156;70|Fort Portal;3028;67;70|Aosta;732;4574;70|Mariehamn;1995;6010;70|Artigas Base;-5886;-6217;70
    Ramallah;3521;3190;90
    """#
}
