const list = `recieve receive, recieves receives, recieved received, recieving receiving, reciever receiver, seperate separate,
seperated separated, seperately separately, seperator separator, seperation separation, occured occurred, occuring occurring,
occurence occurrence, occurences occurrences, occurance occurrence, occurances occurrences, definately definitely, definatly definitely,
teh the, adn and, taht that, thier their, wich which, whcih which, wiht with, hte the, jsut just, becuase because, beacuse because,
begining beginning, beleive believe, succesful successful, successfull successful, sucessful successful, succesfully successfully,
sucessfully successfully, successfuly successfully, sucess success, neccessary necessary, necesary necessary, neccesary necessary,
neccessarily necessarily, enviroment environment, enviroments environments, enviromental environmental, environement environment,
accomodate accommodate, acommodate accommodate, acheive achieve, acheived achieved, accross across, adress address, adresses addresses,
agressive aggressive, apparant apparent, appearence appearance, arguement argument, arguements arguments, asyncronous asynchronous,
asynchronus asynchronous, authenication authentication, authentification authentication, authorisaton authorisation,
availble available, availabe available, avaliable available, avaiable available, basicly basically, calender calendar, catagory category,
catagories categories, charachter character, charater character, charcter character, collegue colleague, comming coming, commited committed,
commiting committing, comittee committee, compatability compatibility, compatable compatible, compatibilty compatibility,
completly completely, concious conscious, configration configuration, configuraton configuration, confguration configuration,
configuation configuration, consistant consistent, containg containing, contruct construct, convinient convenient, conveniant convenient,
correspoding corresponding, curently currently, currenly currently, dependancy dependency, dependancies dependencies, dependant dependent,
depricated deprecated, depreciated deprecated, desribe describe, descibe describe, descripton description, desciption description,
developement development, diferent different, differnt different, dissapear disappear, docuement document, documention documentation,
documantation documentation, documenation documentation, dont don't, doesnt doesn't, embarass embarrass, exmaple example, exmaples examples,
exampel example, existance existence, existant existent, explaination explanation, explicitely explicitly, extention extension,
extentions extensions, finaly finally, folowing following, follwing following, foward forward, fucntion function, funtion function,
funtions functions, fuction function, futher further, garantee guarantee, guarentee guarantee, gaurantee guarantee, generaly generally,
goverment government, grammer grammar, happend happened, heirarchy hierarchy, hierachy hierarchy, identifer identifier, immediatly immediately,
imediately immediately, implemenation implementation, implementaion implementation, implmentation implementation, independant independent,
infomation information, informations information, inital initial, initalize initialize, intial initial, initilize initialize,
instace instance, instalation installation, installtion installation, instal install, intergration integration, integartion integration,
interupt interrupt, intefrace interface, inteface interface, irrelevent irrelevant, langauge language, languege language, lenght length,
libary library, libaries libraries, liason liaison, maintainance maintenance, maintenence maintenance, managment management,
manualy manually, messege message, millenium millennium, mispell misspell, mispelled misspelled, modifed modified, neccesarily necessarily,
noticable noticeable, ocasionally occasionally, occassion occasion, ommit omit, ommited omitted, ouput output, outputing outputting,
overriden overridden, overwriten overwritten, paramater parameter, paramaters parameters, paramter parameter, paramters parameters,
parmeter parameter, perfomance performance, performace performance, peformance performance, permision permission, permisions permissions,
persistant persistent, posible possible, possiblity possibility, preceeding preceding, prefered preferred, preferrence preference,
presense presence, privelege privilege, priviledge privilege, priviledges privileges, probaly probably, proccess process, procces process,
processs process, publically publicly, publicaly publicly, pyhton python, quering querying, realy really, recomend recommend,
recomended recommended, reccomend recommend, reccommend recommend, refered referred, refering referring, referal referral,
referrence reference, refrence reference, relevent relevant, repositry repository, repositery repository, repostory repository,
requirments requirements, requirment requirement, requred required, requried required, resouce resource, resouces resources, respone response,
reponse response, responce response, retreive retrieve, retrive retrieve, retreived retrieved, retrived retrieved, safty safety,
schedual schedule, secuirty security, securty security, seting setting, similiar similar, simpley simply, simultanous simultaneous,
specfic specific, specifed specified, specifiy specify, speficied specified, strenght strength, stucture structure, strucutre structure,
subsribe subscribe, sucessor successor, suport support, suported supported, supress suppress, suprise surprise, syncronize synchronize,
syncronous synchronous, synchronus synchronous, tempalte template, tempate template, temporarly temporarily, threshhold threshold,
throught through, thru through, tommorow tomorrow, tommorrow tomorrow, transfered transferred, transfering transferring, truely truly, tutorail tutorial,
unfortunatly unfortunately, untill until, upto up to, usefull useful, useing using, usualy usually, utlity utility, validaton validation,
varible variable, varibles variables, variabel variable, verison version, versoin version, visable visible, visibilty visibility,
wether whether, wierd weird, withing within, wrtie write, writting writing, yeild yield, yuo you`

/** Corrections that need no knowledge of the text around them. */
const ambiguous = new Set([
  'dependant',
  'depreciated',
  'instal',
  'thru',
  'withing',
  'throught',
  'informations',
  'dont',
  'doesnt',
  'upto',
])

/** Common English misspellings with their correction, lower case. */
export const misspellings: ReadonlyMap<string, string> = new Map(
  list.split(/,\s*/).map((entry) => {
    const at = entry.indexOf(' ')
    return [entry.slice(0, at), entry.slice(at + 1)]
  }),
)

/** Misspellings that are nothing else, so that a whole documentation can be searched for them. */
export const plainMisspellings: ReadonlyMap<string, string> = new Map(
  [...misspellings].filter(([wrong, right]) => wrong !== right && !ambiguous.has(wrong)),
)
